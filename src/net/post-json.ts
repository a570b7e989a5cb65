export interface JsonRequest {
  /** For example http://127.0.0.1:8080/v1 */
  address: string;
  /** The endpoint below the address, for example `embeddings`. */
  path: string;
  key: string | undefined;
  body: unknown;
  timeoutMs: number;
  /** Longer responses are rejected. */
  maxBytes: number;
}

export type JsonResponse =
  | {
      kind: "answered";
      /** Undefined if it is not JSON. */
      body: unknown;
    }
  | {
      kind: "failed";
      /** Follows the address in a message: "answered with status 500". */
      problem: string;
      isRetryable: boolean;
      /** As requested by the server; 0 if it did not say. */
      retryAfterMs: number;
    };

/** Sends a JSON request; never throws. */
export async function postJson({
  address,
  path,
  key,
  body,
  timeoutMs,
  maxBytes,
}: JsonRequest): Promise<JsonResponse> {
  try {
    const response = await fetch(`${address.replace(/\/+$/, "")}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const isRetryable = response.status === 429 || response.status >= 500;
      const seconds = Number(response.headers.get("retry-after") ?? 0);
      return failed(`answered with status ${response.status}`, isRetryable, seconds > 0 ? seconds * 1000 : 0);
    }
    const text = await readLimited(response, maxBytes);
    if (text === undefined) return failed(`answered with more than ${megabytes(maxBytes)} MB`);
    return { kind: "answered", body: parseJson(text) };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return failed(isTimeout ? "did not answer in time" : `cannot be reached: ${causeOf(error)}`, true);
  }
}

function failed(problem: string, isRetryable = false, retryAfterMs = 0): JsonResponse {
  return { kind: "failed", problem, isRetryable, retryAfterMs };
}

async function readLimited(response: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024));
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
