import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isSystemError, RalphError } from "../domain/ralph-error.js";

export interface Caller {
  host: string | undefined;
  origin: string | undefined;
}

/**
 * Why a request is refused, whoever sent it. Any program of this machine can reach a port of it, and so can a web page, also
 * under a name that it lets point to this machine: so the name and the page are looked at before any token is.
 */
export function refuseForeign(
  { host, origin }: Caller,
  ownHosts: readonly string[],
): "Wrong Host" | "Wrong Origin" | undefined {
  if (!ownHosts.includes(host ?? "")) return "Wrong Host";
  if (origin !== undefined && !ownHosts.some((own) => origin === `http://${own}`)) return "Wrong Origin";
  return undefined;
}

/** The names by which this machine calls itself. */
export function loopbackHosts(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Compares a given token with the right one, in a time that says nothing about it. */
export type TokenCheck = (given: string) => boolean;

/** 256 random bits, in letters that need no escape in an address. */
export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

export function tokenCheck(token: string): TokenCheck {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** The token that a request carries. */
export function bearerOf(authorization = ""): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

export const loopback = "127.0.0.1";
const maxPort = 65_535;

export function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= maxPort) return port;
  throw new RalphError("wrong-use", `--port takes a number up to ${maxPort}, not ${port}`);
}

/** Listens, and returns the port; 0 takes a free one. */
export function listen(server: Server, port: number, host = loopback): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", (error) => fail(isRefusal(error) ? unusable(port, host, error) : error));
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      const address = server.address();
      done(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function isRefusal(error: Error): boolean {
  return isSystemError(error, "EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND");
}

function unusable(port: number, host: string, cause: Error): RalphError {
  if (isSystemError(cause, "EADDRNOTAVAIL", "ENOTFOUND"))
    return new RalphError("wrong-use", `${host} is no address of this machine`, { cause });
  return new RalphError("wrong-use", `Port ${port} cannot be used`, {
    hint: "choose another with --port, or leave it out to take a free one",
    cause,
  });
}

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
