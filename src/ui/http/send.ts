import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorCode, messageOf, RalphError } from "../../domain/ralph-error.js";
import { refuse } from "../../net/loopback.js";

/** Nothing from elsewhere, nothing inline, nothing kept, and no page around it. */
export const safeHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
} as const;

/** Of a problem that is told; all others are 500. */
const statuses: Partial<Record<ErrorCode, number>> = {
  "wrong-use": 400,
  ambiguous: 400,
  "not-found": 404,
  "already-exists": 409,
  "merge-conflict": 409,
  "taken-over": 409,
  "not-trusted": 403,
  "store-busy": 503,
  "store-away": 503,
};

/** What the page is told of a problem. */
export interface Problem {
  code: ErrorCode | "internal";
  message: string;
  hint?: string;
}

export function problemOf(error: unknown): Problem {
  if (!(error instanceof RalphError)) return { code: "internal", message: messageOf(error) };
  const { code, message, hint } = error;
  return { code, message, ...(hint !== undefined && { hint }) };
}

/** Refuses a request, of which more may be on its way. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message }: { status: number; message: string },
): void {
  const headers = { ...safeHeaders, "content-type": "text/plain; charset=utf-8" };
  refuse(request, response, { status, text: `${message}\n`, headers });
}

export function sendTooLarge(request: IncomingMessage, response: ServerResponse): void {
  const problem: Problem = { code: "wrong-use", message: "That is more than a megabyte" };
  const headers = { ...safeHeaders, "content-type": "application/json" };
  refuse(request, response, { status: 413, text: JSON.stringify({ problem }), headers });
}

export function sendProblem(response: ServerResponse, problem: Problem): Promise<void> {
  const status = problem.code === "internal" ? 500 : (statuses[problem.code] ?? 500);
  return sendJson(response, { problem }, { status });
}

/** Long answers are compressed if the browser reads that. */
export async function sendJson(
  response: ServerResponse,
  value: unknown,
  { status = 200, request }: { status?: number; request?: IncomingMessage } = {},
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value ?? null));
  const head = { ...safeHeaders, "content-type": "application/json" };
  if (bytes.length < worthCompressing || !accepts(request, "gzip")) {
    response.writeHead(status, head).end(bytes);
    return;
  }
  const { gzip } = await import("node:zlib");
  const packed = await new Promise<Buffer>((done, fail) =>
    gzip(bytes, { level: 4 }, (error, result) => (error === null ? done(result) : fail(error))),
  );
  response.writeHead(status, { ...head, "content-encoding": "gzip" }).end(packed);
}

const worthCompressing = 16 * 1024;

export function accepts(request: IncomingMessage | undefined, encoding: string): boolean {
  return String(request?.headers["accept-encoding"] ?? "").includes(encoding);
}
