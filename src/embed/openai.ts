import { RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import { postJson } from "../net/post-json.js";
import type { Embedder, EmbedOptions } from "./embedder.js";

interface OpenaiOptions {
  name: string;
  /** For example http://127.0.0.1:8080/v1 */
  address: string;
  model: string;
  key: string | undefined;
  batch: number;
  /** Per request. */
  timeoutMs?: number;
  /** Pause before the first retry; doubles with each one. */
  pauseMs?: number;
}

const maxTries = 4;
const maxPauseMs = 20_000;
const urgentTimeoutMs = 5000;
const maxBytesPerVector = 128 * 1024;

/** Any server with OpenAI's embeddings API. */
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
  const { address, model, key, timeoutMs = 60_000, pauseMs = 500 } = options;
  for (let tries = 1; ; tries += 1) {
    const answer = await postJson({
      address,
      path: "embeddings",
      key,
      body: { model, input: texts, encoding_format: "float" },
      timeoutMs: isUrgent ? Math.min(timeoutMs, urgentTimeoutMs) : timeoutMs,
      maxBytes: maxBytesPerVector * (texts.length + 1),
    });
    if (answer.kind === "answered") {
      const vectors = readVectors(answer.body, texts.length);
      if (vectors === undefined) throw serverError(address, "sent an invalid embeddings response");
      return vectors;
    }
    if (isUrgent || !answer.isRetryable || tries === maxTries) throw serverError(address, answer.problem);
    const wait = Math.min(Math.max(answer.retryAfterMs, pauseMs * 2 ** (tries - 1)), maxPauseMs);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

function serverError(address: string, problem: string): RalphError {
  return new RalphError("embedder-failed", `${address} ${problem}`, {
    hint: "check embedder.address, embedder.model and embedder.key_variable",
  });
}

/** Parses `{"data": [{"index": 0, "embedding": [0.1, …]}, …]}`; all vectors must have the same length. */
function readVectors(answer: unknown, count: number): Float32Array[] | undefined {
  const data = isObject(answer) ? answer.data : undefined;
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: Float32Array[] = [];
  for (const [position, entry] of data.entries()) {
    if (!isObject(entry) || !Array.isArray(entry.embedding)) return undefined;
    const vector = Float32Array.from(entry.embedding as number[]);
    if (vector.length === 0 || !vector.every(Number.isFinite)) return undefined;
    vectors[typeof entry.index === "number" ? entry.index : position] = vector;
  }
  const isComplete =
    vectors.length === count && vectors.every((vector) => vector.length === vectors[0]?.length);
  return isComplete && Object.keys(vectors).length === count ? vectors : undefined;
}
