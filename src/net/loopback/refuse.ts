import type { IncomingMessage, ServerResponse } from "node:http";

export interface Refusal {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

const maxUnreadBytes = 64 * 1024 * 1024;
const maxUnreadMs = 5_000;

/**
 * Answers and closes the connection, once the client has sent the rest of its request, or too much of it: closed with bytes
 * unread, a connection is reset, and many a client then does not see the answer.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text, headers }: Refusal,
): void {
  response.writeHead(status, {
    "content-type": "text/plain",
    "content-length": Buffer.byteLength(text),
    connection: "close",
    ...headers,
  });
  response.write(text);
  if (request.complete) {
    response.end();
    return;
  }
  let unread = 0;
  const cut = setTimeout(() => response.destroy(), maxUnreadMs);
  request.on("data", (piece: Buffer) => {
    unread += piece.length;
    if (unread > maxUnreadBytes) response.destroy();
  });
  request.on("end", () => response.end());
  request.on("error", () => response.destroy());
  request.on("close", () => clearTimeout(cut));
}
