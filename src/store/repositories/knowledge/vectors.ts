import type { DocumentKey } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";

/** What a record means, as a model sees it: `bytes` holds one signed byte for each dimension, to be multiplied by `scale`. */
export interface VectorRow extends DocumentKey {
  model: string;
  dimensions: number;
  /** Of the text that was embedded; another one means that the record has changed since. */
  print: string;
  scale: number;
  bytes: Uint8Array;
}

/** A vector with its place in the order of writing. */
export interface KeptVector extends Pick<VectorRow, "id" | "source" | "scale" | "bytes"> {
  key: number;
}

export type Vectors = ReturnType<typeof vectors>;

/** One vector for each record; derived, and made again when it is missing. */
export function vectors(sql: Sql) {
  return {
    /** The key grows with every write, also of a record that had a vector: readers see by it what is new to them. */
    put: ({ kind, id, source, model, dimensions, print, scale, bytes }: VectorRow) =>
      sql.run(
        `INSERT INTO vectors (vector_key, kind, id, source, model, dimensions, print, scale, bytes)
         VALUES ((SELECT coalesce(max(vector_key), 0) + 1 FROM vectors), ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (kind, id, source) DO UPDATE SET vector_key = excluded.vector_key, model = excluded.model,
           dimensions = excluded.dimensions, print = excluded.print, scale = excluded.scale, bytes = excluded.bytes`,
        kind,
        id,
        source,
        model,
        dimensions,
        print,
        scale,
        bytes,
      ),

    remove: ({ kind, id, source }: DocumentKey) =>
      sql.run("DELETE FROM vectors WHERE kind = ? AND id = ? AND source = ?", kind, id, source),

    async lastKey(): Promise<number> {
      return (await sql.get<{ key: number | null }>("SELECT max(vector_key) AS key FROM vectors"))?.key ?? 0;
    },

    /** Those of one model written after a key, in the order of writing. */
    listAfter: (kind: string, model: string, key: number): Promise<KeptVector[]> =>
      sql.all<KeptVector>(
        `SELECT vector_key AS key, id, source, scale, bytes FROM vectors
         WHERE vector_key > ? AND kind = ? AND model = ? ORDER BY vector_key`,
        key,
        kind,
        model,
      ),

    /** What is needed to see which records lack a vector. */
    listPrints: (): Promise<Omit<VectorRow, "scale" | "bytes">[]> =>
      sql.all("SELECT kind, id, source, model, dimensions, print FROM vectors"),
  };
}
