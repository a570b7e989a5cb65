import type { IncomingMessage } from "node:http";

/** The whole body of a request; `too-large` as soon as that is known, `gone` if the client went away meanwhile. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array | "too-large" | "gone"> {
  return new Promise((done) => {
    if (Number(request.headers["content-length"]) > maxBytes) return done("too-large");
    let pieces: Buffer[] = [];
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size <= maxBytes) pieces.push(piece);
      else {
        pieces = [];
        done("too-large");
      }
    });
    request.on("end", () => done(Buffer.concat(pieces)));
    request.on("error", () => done("gone"));
    request.on("close", () => done("gone"));
  });
}
