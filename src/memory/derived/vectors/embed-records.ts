import type { Embedder } from "../../../embed/embedder.js";
import { quantise } from "../../../search/vectors/vector-matrix.js";
import { fingerprint } from "../../../text/fingerprint.js";
import { redact } from "../../../text/secrets/redact.js";
import type { StoreContext } from "../../project/place.js";
import { type EmbeddableRecord, listEmbeddable } from "./embeddable-records.js";

export interface EmbedOptions {
  /** Maximum number of records; all pending ones by default. */
  limit?: number | undefined;
  /** Embeds all records, even those with an up-to-date vector. */
  isAll?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface EmbeddingState {
  /** The configured model. */
  model: string;
  /** Of the stored vectors; 0 if there are none. */
  dimensions: number;
  /** Number of embeddable records. */
  records: number;
  /** Records without a vector, or changed since they were embedded. */
  waiting: number;
}

export interface Embedded extends EmbeddingState {
  embedded: number;
}

/** Records per transaction: enough to be fast, few enough to let other writers in. */
const batchSize = 64;

/** Embeds new and changed records, and removes the vectors of deleted ones. */
export async function embedRecords(
  shelf: StoreContext,
  model: string,
  openEmbedder: () => Promise<Embedder>,
  { limit, isAll = false, onProgress }: EmbedOptions,
): Promise<Embedded> {
  const { records, pending, deleted, dimensions } = await findPending(shelf, model);
  if (deleted.length > 0) {
    await shelf.store.transaction(
      async (tx) => {
        for (const key of deleted) await tx.vectors.remove(key);
      },
      { side: "local" },
    );
  }
  const chosen = (isAll ? records : pending).slice(0, limit);
  const state = { model, dimensions, records: records.length, waiting: pending.length };
  if (chosen.length === 0) return { ...state, embedded: 0 };
  const embedder = await openEmbedder();
  for (let start = 0; start < chosen.length; start += batchSize) {
    const batch = chosen.slice(start, start + batchSize);
    await embedBatch(shelf, embedder, batch);
    onProgress?.(start + batch.length, chosen.length);
  }
  const left = isAll ? Math.max(0, pending.length - chosen.length) : pending.length - chosen.length;
  return { ...state, dimensions: embedder.dimensions, waiting: left, embedded: chosen.length };
}

/** How many records have a vector and how many are pending. */
export async function describeEmbedding(shelf: StoreContext, model: string): Promise<EmbeddingState> {
  const { records, pending, dimensions } = await findPending(shelf, model);
  return { model, dimensions, records: records.length, waiting: pending.length };
}

async function embedBatch(
  { store }: StoreContext,
  embedder: Embedder,
  records: readonly EmbeddableRecord[],
): Promise<void> {
  // Texts may leave this machine; they may have been stored before a kind of secret was recognised.
  const vectors = await embedder.embed(records.map(({ text }) => redact(text).text));
  await store.transaction(
    async (tx) => {
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
    },
    { side: "local" },
  );
}

async function findPending(shelf: StoreContext, model: string) {
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
    pending: records.filter((record) => prints.get(nameOf(record)) !== fingerprint(record.text)),
    deleted: kept.filter((vector) => sources.has(vector.source) && !names.has(nameOf(vector))),
    dimensions: kept.find((vector) => vector.model === model)?.dimensions ?? 0,
  };
}
