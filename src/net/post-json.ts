export interface JsonRequest {
  /** Such as http://127.0.0.1:8080/v1 */
  address: string;
  /** What is asked for there, such as `embeddings`. */
  path: string;
  key: string | undefined;
  body: unknown;
  timeoutMs: number;
  /** A longer answer is not read to its end. */
  maxBytes: number;
}

export type JsonAnswer =
  | {
      kind: "answered";
      /** Undefined where it is no JSON. */
      body: unknown;
    }
  | {
      kind: "failed";
      /** Goes behind the address: "answered with status 500". */
      problem: string;
      /** Whether trying again may help, and how long the server wants to be left alone. */
      isPassing: boolean;
      waitMs: number;
    };

/** Asks a server that speaks JSON; it never throws. */
export async function postJson({
  address,
  path,
  key,
  body,
  timeoutMs,
  maxBytes,
}: JsonRequest): Promise<JsonAnswer> {
  try {
    const response = await fetch(`${address.replace(/\/+$/, "")}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const isPassing = response.status === 429 || response.status >= 500;
      const seconds = Number(response.headers.get("retry-after") ?? 0);
      return failed(`answered with status ${response.status}`, isPassing, seconds > 0 ? seconds * 1000 : 0);
    }
    const text = await readLimited(response, maxBytes);
    if (text === undefined) return failed(`answered with more than ${megabytes(maxBytes)} MB`);
    return { kind: "answered", body: parseJson(text) };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return failed(isLate ? "did not answer in time" : `cannot be reached: ${causeOf(error)}`, true);
  }
}

function failed(problem: string, isPassing = false, waitMs = 0): JsonAnswer {
  return { kind: "failed", problem, isPassing, waitMs };
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
