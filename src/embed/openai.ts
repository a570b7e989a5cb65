import { RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import type { Embedder, EmbedOptions } from "./embedder.js";

export interface OpenaiOptions {
  name: string;
  /** Such as http://127.0.0.1:8080/v1 */
  address: string;
  model: string;
  key: string | undefined;
  batch: number;
  /** Milliseconds that one request may take. */
  timeoutMs?: number;
  /** Milliseconds before the first of the further tries; each next one waits twice as long. */
  pauseMs?: number;
}

const maxTries = 4;
const longestPauseMs = 20_000;
const urgentTimeoutMs = 5000;

/** Any server that speaks OpenAI's embeddings protocol. */
export function openOpenai(options: OpenaiOptions): Embedder {
  let dimensions = 0;
  return {
    model: options.name,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, how = {}) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += options.batch) {
        vectors.push(...(await request(texts.slice(start, start + options.batch), options, how)));
      }
      dimensions = vectors[0]?.length ?? dimensions;
      return vectors;
    },
  };
}

async function request(
  texts: readonly string[],
  options: OpenaiOptions,
  { isUrgent = false }: EmbedOptions,
): Promise<Float32Array[]> {
  const { pauseMs = 500 } = options;
  for (let tries = 1; ; tries += 1) {
    const answer = await post(texts, options, isUrgent);
    if (answer.kind === "vectors") return answer.vectors;
    if (isUrgent || !answer.isPassing || tries === maxTries) {
      throw new RalphError("embedder-failed", `${options.address} ${answer.problem}`, {
        hint: "see embedder.address, embedder.model and embedder.key_variable",
      });
    }
    const wait = Math.min(Math.max(answer.waitMs, pauseMs * 2 ** (tries - 1)), longestPauseMs);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

type Answer =
  | { kind: "vectors"; vectors: Float32Array[] }
  | { kind: "failed"; problem: string; isPassing: boolean; waitMs: number };

const failed = (problem: string, isPassing = false, waitMs = 0): Answer => ({
  kind: "failed",
  problem,
  isPassing,
  waitMs,
});

async function post(
  texts: readonly string[],
  { address, model, key, timeoutMs = 60_000 }: OpenaiOptions,
  isUrgent: boolean,
): Promise<Answer> {
  try {
    const response = await fetch(`${address.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      signal: AbortSignal.timeout(isUrgent ? Math.min(timeoutMs, urgentTimeoutMs) : timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const isPassing = response.status === 429 || response.status >= 500;
      const seconds = Number(response.headers.get("retry-after") ?? 0);
      return failed(`answered with status ${response.status}`, isPassing, seconds > 0 ? seconds * 1000 : 0);
    }
    const vectors = readVectors(await readLimited(response, texts.length), texts.length);
    if (vectors === undefined) return failed("answered with something else than embeddings");
    return { kind: "vectors", vectors };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return failed(isLate ? "did not answer in time" : `cannot be reached: ${causeOf(error)}`, true);
  }
}

/** The vectors of `{"data": [{"index": 0, "embedding": [0.1, …]}, …]}`, all of one length. */
function readVectors(text: string, count: number): Float32Array[] | undefined {
  const answer = parseJson(text);
  const data = isObject(answer) ? answer.data : undefined;
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: Float32Array[] = [];
  for (const [place, entry] of data.entries()) {
    if (!isObject(entry) || !Array.isArray(entry.embedding)) return undefined;
    const vector = Float32Array.from(entry.embedding as number[]);
    if (vector.length === 0 || !vector.every(Number.isFinite)) return undefined;
    vectors[typeof entry.index === "number" ? entry.index : place] = vector;
  }
  const isWhole = vectors.length === count && vectors.every((vector) => vector.length === vectors[0]?.length);
  return isWhole && Object.keys(vectors).length === count ? vectors : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const maxBytesPerVector = 128 * 1024;

async function readLimited(response: Response, count: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytesPerVector * (count + 1)) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
