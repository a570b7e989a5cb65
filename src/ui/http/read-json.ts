import type { IncomingMessage } from "node:http";
import { RalphError } from "../../domain/ralph-error.js";
import { readBody } from "../../net/loopback/read-body.js";

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
