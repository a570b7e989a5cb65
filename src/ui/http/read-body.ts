import type { IncomingMessage } from "node:http";
import { RalphError } from "../../domain/ralph-error.js";

const maxBytes = 1024 * 1024;

/** The JSON object of a request; none is an empty one. */
export async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new RalphError("wrong-use", "That is more than a megabyte");
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString("utf8");
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
