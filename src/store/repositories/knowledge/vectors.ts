import type { DocumentKey } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
import { localTables, tableOf } from "../table.js";

/** The embedding of a record: `bytes` holds one signed byte per dimension, to be multiplied by `scale`. */
export interface VectorRow extends DocumentKey {
  model: string;
  dimensions: number;
  /** Hash of the embedded text; differs once the record has changed. */
  print: string;
  scale: number;
  bytes: Uint8Array;
}

/** A vector and its position in write order. */
export interface StoredVector extends Pick<VectorRow, "id" | "source" | "scale" | "bytes"> {
  key: number;
}

const ofRecord = "AND kind = ? AND id = ? AND source = ?";

export type Vectors = ReturnType<typeof vectors>;

/** One vector per record; derived, and computed again if missing. */
export function vectors(sql: Sql) {
  const table = tableOf(sql, localTables, "vectors");
  return {
    /** Every write gets a higher key, also when it replaces a vector, so that readers can find what is new. */
    put: ({ kind, id, source, model, dimensions, print, scale, bytes }: VectorRow) =>
      sql.write(
        `INSERT INTO vectors (vector_key, kind, id, source, model, dimensions, print, scale, bytes)
         VALUES ((SELECT coalesce(max(vector_key), 0) + 1 FROM vectors), ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (kind, id, source) DO UPDATE SET vector_key = excluded.vector_key, model = excluded.model,
           dimensions = excluded.dimensions, print = excluded.print, scale = excluded.scale, bytes = excluded.bytes`,
        ...[kind, id, source, model, dimensions, print, scale, bytes],
      ),

    remove: ({ kind, id, source }: DocumentKey) => table.remove(ofRecord, kind, id, source),

    find: ({ kind, id, source }: DocumentKey) =>
      table.get<VectorRow>(
        "kind, id, source, model, dimensions, print, scale, bytes",
        ofRecord,
        ...[kind, id, source],
      ),

    lastKey: () => table.highest("vector_key"),

    /** Vectors of one model written after a key, in write order. */
    listAfter: (kind: string, model: string, key: number) =>
      table.all<StoredVector>(
        "vector_key AS key, id, source, scale, bytes",
        "AND vector_key > ? AND kind = ? AND model = ? ORDER BY vector_key",
        ...[key, kind, model],
      ),

    /** Enough to see which records lack a vector. */
    listPrints: () =>
      table.all<Omit<VectorRow, "scale" | "bytes">>("kind, id, source, model, dimensions, print"),
  };
}
