import type { Embedder } from "../../../embed/embedder.js";
import { quantise } from "../../../search/vectors/quantise.js";
import { fingerprint } from "../../../text/fingerprint.js";
import { redact } from "../../../text/secrets/redact.js";
import type { Shelf } from "../../places/shelf.js";
import { type EmbeddableRecord, listEmbeddable } from "./embeddable-records.js";

export interface EmbedOptions {
  /** Most records to embed; all that wait by default. */
  limit?: number | undefined;
  /** Also those whose vectors are as they should be. */
  isAll?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface EmbeddingState {
  /** The model that the settings ask for. */
  model: string;
  /** Of the vectors; 0 while there is none. */
  dimensions: number;
  /** How many records could have a vector. */
  records: number;
  /** How many lack one, or have changed since. */
  waiting: number;
}

export interface Embedded extends EmbeddingState {
  embedded: number;
}

/** What one transaction writes: enough to be quick, few enough to let others write. */
const recordsPerStep = 64;

/** Embeds what has no vector, or changed since it got one, and forgets vectors of records that are gone. */
export async function embedRecords(
  shelf: Shelf,
  model: string,
  openEmbedder: () => Promise<Embedder>,
  { limit, isAll = false, onProgress }: EmbedOptions,
): Promise<Embedded> {
  const { records, waiting, gone, dimensions } = await findWaiting(shelf, model);
  if (gone.length > 0) {
    await shelf.store.transaction(async (tx) => {
      for (const key of gone) await tx.vectors.remove(key);
    });
  }
  const chosen = (isAll ? records : waiting).slice(0, limit);
  const state = { model, dimensions, records: records.length, waiting: waiting.length };
  if (chosen.length === 0) return { ...state, embedded: 0 };
  const embedder = await openEmbedder();
  for (let start = 0; start < chosen.length; start += recordsPerStep) {
    const step = chosen.slice(start, start + recordsPerStep);
    await embedStep(shelf, embedder, step);
    onProgress?.(start + step.length, chosen.length);
  }
  const left = isAll ? Math.max(0, waiting.length - chosen.length) : waiting.length - chosen.length;
  return { ...state, dimensions: embedder.dimensions, waiting: left, embedded: chosen.length };
}

/** How many records have a vector and how many wait for one. */
export async function describeEmbedding(shelf: Shelf, model: string): Promise<EmbeddingState> {
  const { records, waiting, dimensions } = await findWaiting(shelf, model);
  return { model, dimensions, records: records.length, waiting: waiting.length };
}

async function embedStep(
  { store }: Shelf,
  embedder: Embedder,
  records: readonly EmbeddableRecord[],
): Promise<void> {
  // Texts may leave this machine: what was stored before a kind of secret was known is replaced now.
  const vectors = await embedder.embed(records.map(({ text }) => redact(text).text));
  await store.transaction(async (tx) => {
    for (const [index, { kind, id, source, text }] of records.entries()) {
      const vector = vectors[index];
      if (vector === undefined) continue;
      const { scale, bytes } = quantise(vector);
      await tx.vectors.put({
        kind,
        id,
        source,
        model: embedder.model,
        dimensions: vector.length,
        print: fingerprint(text),
        scale,
        bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
      });
    }
  });
}

async function findWaiting(shelf: Shelf, model: string) {
  const { records, sources } = await listEmbeddable(shelf);
  const kept = await shelf.store.vectors.listPrints();
  const nameOf = ({ kind, id, source }: { kind: string; id: string; source: string }) =>
    `${kind} ${source} ${id}`;
  const prints = new Map(
    kept.filter((vector) => vector.model === model).map((vector) => [nameOf(vector), vector.print]),
  );
  const names = new Set(records.map(nameOf));
  return {
    records,
    waiting: records.filter((record) => prints.get(nameOf(record)) !== fingerprint(record.text)),
    gone: kept.filter((vector) => sources.has(vector.source) && !names.has(nameOf(vector))),
    dimensions: kept.find((vector) => vector.model === model)?.dimensions ?? 0,
  };
}
