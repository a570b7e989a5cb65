import type { IndexedDocument, LexicalIndex } from "../../lexical-index.js";
import { searchKinds } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
import { countHolders } from "./count-holders.js";
import { estimateHolders } from "./estimate-holders.js";
import { putDocuments } from "./put-documents.js";
import { removeDocuments } from "./remove-documents.js";
import { allowedBy, documentsCalled } from "./scope-sql.js";
import { searchBest } from "./search-best.js";
import { searchNewest } from "./search-newest.js";
import { verifyPart } from "./verify-part.js";

/** Full-text search that answers as FTS5 does: an inverted index in tables, read in one round trip and scored here. */
export function lexicalPostgres(sql: Sql, version: number): LexicalIndex {
  return {
    put: (document) => putDocuments(sql, { version, kind: document.kind }, [document]),

    async putAll(documents) {
      for (const kind of searchKinds) {
        const some = documents.filter((document) => document.kind === kind);
        if (some.length > 0) await putDocuments(sql, { version, kind }, some);
      }
    },

    remove: (key) => removeDocuments(sql, { version, kind: key.kind }, [key]),

    async search(query) {
      if (query.words.length === 0) return [];
      return query.order === undefined ? searchBest(sql, version, query) : searchNewest(sql, version, query);
    },

    async keepAllowed(scope, ids) {
      const allowed = allowedBy(scope);
      const found = documentsCalled({ version, kind: scope.kind }, ids);
      return sql.all<IndexedDocument>(
        `SELECT document.id, document.source, document.time FROM ${found.text} WHERE ${allowed.text}`,
        ...[...found.values, ...allowed.values],
      );
    },

    async estimateDocuments(kind) {
      const row = await sql.get<{ documents: number }>(
        "SELECT documents FROM search_counts WHERE project = :project AND version = ? AND kind = ?",
        ...[version, kind],
      );
      return row?.documents ?? 0;
    },

    async hasAllowed(scope) {
      const { text, values } = allowedBy(scope);
      const found = await sql.get(
        `SELECT 1 AS one FROM search_documents AS document
         WHERE project = :project AND version = ? AND kind = ? AND ${text} LIMIT 1`,
        ...[version, scope.kind, ...values],
      );
      return found !== undefined;
    },

    countHolding: (kind, words, limit) => countHolders(sql, { version, kind }, words, limit),

    estimateHolding: (kind, words, limit) => estimateHolders(sql, { version, kind }, words, limit),

    // The server keeps statistics of its own.
    countFrequentWords: async () => {},

    async readKept(kind, ids) {
      const found = documentsCalled({ version, kind }, ids);
      const rows = await sql.all<{ id: string; kept: string }>(
        `SELECT document.id, text.kept FROM ${found.text} CROSS JOIN LATERAL (
           SELECT kept FROM search_words WHERE project = :project AND version = ? AND kind = ?
             AND number = document.number AND kept IS NOT NULL OFFSET 0
         ) AS text`,
        ...[...found.values, version, kind],
      );
      return new Map(rows.map(({ id, kept }) => [id, kept]));
    },

    async verify() {
      await Promise.all(searchKinds.map((kind) => verifyPart(sql, { version, kind })));
    },
  };
}
