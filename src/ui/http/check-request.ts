import type { IncomingMessage } from "node:http";
import { refuseForeign } from "../../net/loopback/check-caller.js";

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
