import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { isObject } from "../domain/shape.js";

export interface LineStreams {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** A longer line is refused and skipped. */
  maxLineBytes?: number;
}

const defaultMaxLineBytes = 16 * 1024 * 1024;
/** How long requests may take after the input has ended. */
const lastAnswersMs = 5_000;
const newline = 10;

const parseError = -32700;
const invalidRequest = -32600;

/**
 * JSON-RPC, a message a line. Unlike the SDK's own transport it answers what it cannot read and goes on, and it answers what
 * was asked before the input ended, so that requests can come from a pipe.
 */
export function openLineTransport(streams: LineStreams): Transport {
  const { input, output, maxLineBytes = defaultMaxLineBytes } = streams;
  const unanswered = new Set<RequestId>();
  let pieces: Buffer[] = [];
  let length = 0;
  let hasEnded = false;
  let isClosed = false;

  const transport: Transport = {
    async start() {
      input.on("data", read);
      input.on("end", end);
      input.on("close", end);
      input.on("error", end);
      output.on("error", () => void transport.close());
    },
    async send(message) {
      write(message);
      if (!("method" in message) && message.id !== undefined) settle(message.id);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      input.off("data", read);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;

  function write(message: object): void {
    if (!isClosed) output.write(`${JSON.stringify(message)}\n`);
  }

  function refuse(id: RequestId | null, code: number, message: string): void {
    write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  function read(chunk: Buffer | string): void {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let at = rest.indexOf(newline); at !== -1 && !isClosed; at = rest.indexOf(newline)) {
      keep(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      endLine();
    }
    keep(rest);
  }

  /** Of a line that is too long, nothing is kept. */
  function keep(piece: Buffer): void {
    length += piece.length;
    if (length > maxLineBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  }

  function endLine(): void {
    const isTooLong = length > maxLineBytes;
    const text = Buffer.concat(pieces).toString("utf8").trim();
    pieces = [];
    length = 0;
    if (isTooLong) refuse(null, invalidRequest, `Message too long: more than ${maxLineBytes} bytes`);
    else if (text !== "") receive(text);
  }

  function receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      refuse(null, parseError, "Parse error: not valid JSON");
      return;
    }
    if (!isMessage(message)) {
      refuse(isObject(message) ? idOf(message.id) : null, invalidRequest, "Not a JSON-RPC 2.0 message");
      return;
    }
    if ("method" in message && "id" in message) unanswered.add(message.id);
    transport.onmessage?.(message);
    if ("method" in message && message.method === "notifications/cancelled")
      settle(message.params?.requestId as RequestId);
  }

  function settle(id: RequestId): void {
    unanswered.delete(id);
    if (hasEnded && unanswered.size === 0) void transport.close();
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    if (length > 0) endLine();
    if (unanswered.size === 0) void transport.close();
    else setTimeout(() => void transport.close(), lastAnswersMs).unref();
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value.jsonrpc !== "2.0") return false;
  if (value.id !== undefined && idOf(value.id) === null) return false;
  if (value.params !== undefined && !isParams(value.params)) return false;
  return (
    typeof value.method === "string" || (value.id !== undefined && ("result" in value || "error" in value))
  );
}

function isParams(value: unknown): boolean {
  // The SDK drops a request with any other, and its client would wait for an answer.
  return isObject(value) && (value._meta === undefined || isObject(value._meta));
}

function idOf(id: unknown): RequestId | null {
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as RequestId) : null;
}
