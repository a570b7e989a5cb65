import { RalphError } from "../../domain/ralph-error.js";
import { hasAnyLabel, labelPattern, labelText } from "../label-text.js";
import type {
  DocumentKey,
  LexicalHit,
  LexicalIndex,
  LexicalQuery,
  LexicalScope,
  Neighbours,
} from "../lexical-index.js";
import { placeholders, type Sql } from "../sql.js";

/** Drivers limit how many values a statement may have. */
const idsPerStatement = 500;

const fields = ["title", "body", "tags", "files", "errors", "dates"] as const;

/** Makes the search table; words are stored without their text, which lives in the records themselves. */
export async function createFts5Index(sql: Sql): Promise<void> {
  await sql.run(`CREATE TABLE documents (
    document_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    labels TEXT NOT NULL,
    time BIGINT NOT NULL,
    UNIQUE (kind, id, source)
  )`);
  await sql.run(`CREATE VIRTUAL TABLE search_text USING fts5(
    ${fields.join(", ")}, content='', contentless_delete=1, tokenize='porter unicode61'
  )`);
}

export async function dropFts5Index(sql: Sql): Promise<void> {
  await sql.run("DROP TABLE IF EXISTS search_text");
  await sql.run("DROP TABLE IF EXISTS documents");
}

interface Candidate extends LexicalHit {
  documentId: number;
  time: number;
  isAllowed: 0 | 1;
  kind: string;
}

/** So many results are looked at for neighbours, however few are wanted. */
const spreadResults = 200;

export function lexicalFts5(sql: Sql): LexicalIndex {
  const findDocumentId = async ({ kind, id, source }: DocumentKey) =>
    (
      await sql.get<{ document_id: number }>(
        "SELECT document_id FROM documents WHERE kind = ? AND id = ? AND source = ?",
        kind,
        id,
        source,
      )
    )?.document_id;

  const remove = async (key: DocumentKey) => {
    const documentId = await findDocumentId(key);
    if (documentId === undefined) return;
    await sql.run("DELETE FROM search_text WHERE rowid = ?", documentId);
    await sql.run("DELETE FROM documents WHERE document_id = ?", documentId);
  };

  const bestMatches = (query: LexicalQuery, count: number) =>
    sql.all<Candidate>(
      `SELECT documents.document_id AS documentId, documents.kind, documents.id, documents.source, documents.time, -found.rank AS score,
         (documents.kind = ? AND documents.source IN ${placeholders(query.sources)} ${labelConditions(query)} AND documents.time >= ?) AS isAllowed
       FROM (SELECT rowid, rank FROM search_text WHERE search_text MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?) AS found
       JOIN documents ON documents.document_id = found.rowid`,
      query.kind,
      ...query.sources,
      ...query.labelGroups.flat().map(labelPattern),
      query.since ?? Number.MIN_SAFE_INTEGER,
      anyOf(query.words),
      `bm25(${fields.map((field) => query.weights[field] ?? 0).join(", ")})`,
      count,
    );

  return {
    remove,

    async put(document) {
      await remove(document);
      await sql.run(
        "INSERT INTO documents (kind, id, source, labels, time) VALUES (?, ?, ?, ?, ?)",
        document.kind,
        document.id,
        document.source,
        labelText(document.labels),
        document.time,
      );
      await sql.run(
        `INSERT INTO search_text (rowid, ${fields.join(", ")}) VALUES (last_insert_rowid(), ${fields.map(() => "?").join(", ")})`,
        ...fields.map((field) => document[field] ?? ""),
      );
    },

    async search(query) {
      if (query.words.length === 0) return [];
      // The best matches first, whatever they are, then those among them that the query allows; seldom a second round.
      const few = query.neighbours === undefined ? 0 : spreadResults;
      for (let taken = query.limit === -1 ? -1 : Math.max(few, query.limit * 4 + 40); ; taken *= 8) {
        const candidates = await bestMatches(query, taken);
        if (query.neighbours !== undefined) spread(candidates, query.neighbours);
        const hits = candidates.filter((candidate) => candidate.isAllowed === 1).sort(bestThenNewest);
        const isEnough = query.limit === -1 || hits.length >= query.limit || candidates.length < taken;
        if (isEnough) {
          const shown = query.limit === -1 ? hits : hits.slice(0, query.limit);
          return shown.map(({ id, source, score }) => ({ id, source, score }));
        }
      }
    },

    async keepAllowed(scope, ids) {
      const rows: Omit<LexicalHit, "score">[] = [];
      for (let start = 0; start < ids.length; start += idsPerStatement) {
        const some = ids.slice(start, start + idsPerStatement);
        const found = await sql.all<Omit<LexicalHit, "score">>(
          `SELECT id, source FROM documents WHERE kind = ? AND id IN ${placeholders(some)}
             AND source IN ${placeholders(scope.sources)} ${labelConditions(scope)} AND time >= ?`,
          scope.kind,
          ...some,
          ...scope.sources,
          ...scope.labelGroups.flat().map(labelPattern),
          scope.since ?? Number.MIN_SAFE_INTEGER,
        );
        rows.push(...found);
      }
      return rows;
    },

    async estimateDocuments() {
      return (
        (await sql.get<{ count: number | null }>("SELECT max(document_id) AS count FROM documents"))?.count ??
        0
      );
    },

    async countHolding(word, limit) {
      const row = await sql.get<{ count: number }>(
        "SELECT count(*) AS count FROM (SELECT 1 FROM search_text WHERE search_text MATCH ? LIMIT ?)",
        anyOf([word]),
        limit,
      );
      return row?.count ?? 0;
    },

    async verify() {
      await sql.run("INSERT INTO search_text (search_text) VALUES ('integrity-check')");
      const missing = await sql.get<{ id: string }>(
        "SELECT id FROM documents WHERE document_id NOT IN (SELECT rowid FROM search_text) LIMIT 1",
      );
      if (missing !== undefined) {
        throw new RalphError("index-damaged", `The search index lacks ${missing.id}`, {
          hint: 'run "ralph index rebuild"',
        });
      }
    },
  };
}

/**
 * Each of two neighbours gains a share of what the other one scored by its own words. Documents are numbered as they come,
 * so that those written one after the other have numbers one after the other.
 */
function spread(candidates: readonly Candidate[], { count, within, share }: Neighbours): void {
  const byNumber = new Map(candidates.map((candidate) => [candidate.documentId, candidate]));
  const own = new Map(candidates.map((candidate) => [candidate, candidate.score]));
  for (const [candidate, score] of own) {
    for (let distance = 1; distance <= count; distance += 1) {
      const next = byNumber.get(candidate.documentId + distance);
      if (next === undefined || next.kind !== candidate.kind || next.source !== candidate.source) continue;
      if (Math.abs(next.time - candidate.time) > within) continue;
      candidate.score += share * (own.get(next) ?? 0);
      next.score += share * score;
    }
  }
}

/** Scores whose difference is a smaller share of them than this are the same but for rounding. */
const scoreStep = 1e-9;

function bestThenNewest(a: Candidate, b: Candidate): number {
  if (Math.abs(a.score - b.score) > scoreStep * Math.max(a.score, b.score)) return b.score - a.score;
  return b.time - a.time || b.documentId - a.documentId;
}

function anyOf(words: readonly string[]): string {
  return words
    .map((word) => (word.endsWith("*") ? `"${quoted(word.slice(0, -1))}" *` : `"${quoted(word)}"`))
    .join(" OR ");
}

function quoted(word: string): string {
  return word.replaceAll('"', '""');
}

function labelConditions({ labelGroups }: LexicalScope): string {
  return labelGroups.map((group) => `AND ${hasAnyLabel("documents.labels", group)}`).join(" ");
}
