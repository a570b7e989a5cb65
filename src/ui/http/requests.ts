import type { IncomingMessage } from "node:http";
import { RalphError } from "../../domain/ralph-error.js";
import { readBody, refuseForeign } from "../../net/loopback.js";

export interface Refusal {
  status: 403 | 405 | 415;
  message: string;
}

/**
 * Why a request is refused, whatever it asks for. Only this page itself may ask for a change: as JSON, which no form can send,
 * and from its own origin, which a browser tells and no other page can forge.
 */
export function refuseRequest(
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  ownHosts: readonly string[],
): Refusal | undefined {
  const { host, origin } = headers;
  const foreign = refuseForeign({ host, origin }, ownHosts);
  if (foreign !== undefined) return { status: 403, message: foreign };
  const site = headers["sec-fetch-site"];
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  if (method === "GET" || method === "HEAD") {
    const isVisit = headers["sec-fetch-mode"] === "navigate";
    return isOwn || isVisit ? undefined : { status: 403, message: "Wrong site" };
  }
  if (method !== "POST") return { status: 405, message: "Only GET and POST" };
  if (origin === undefined || !isOwn) return { status: 403, message: "Wrong Origin" };
  return /^application\/json(?:;|$)/i.test(headers["content-type"] ?? "")
    ? undefined
    : { status: 415, message: "Only application/json" };
}

const maxBytes = 1024 * 1024;

/** The JSON object of a request, none being an empty one; `too-large` and `gone` as for its bytes. */
export async function readJson(
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>> | "too-large" | "gone"> {
  const bytes = await readBody(request, maxBytes);
  if (typeof bytes === "string") return bytes;
  const text = Buffer.from(bytes).toString("utf8");
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RalphError("wrong-use", "The request is no JSON", { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new RalphError("wrong-use", "The request is no JSON object");
}
