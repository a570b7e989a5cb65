import type { LexicalIndex } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
export async function createPostgresIndex(_sql: Pick<Sql, "run">): Promise<void> {}
export function lexicalPostgres(_sql: Sql, _version: number): LexicalIndex {
  return {
    put: async () => undefined,
    remove: async () => undefined,
    search: async () => [],
    keepAllowed: async () => [],
    estimateDocuments: async () => 0,
    hasAllowed: async () => false,
    countHolding: async (_k: unknown, w: readonly string[]) => w.map(() => 0),
    readKept: async () => new Map(),
    verify: async () => undefined,
  };
}
export async function emptyPostgresIndex(_sql: Sql, _version: number): Promise<void> {}
