import { RalphError } from "../../domain/ralph-error.js";
import { hasAnyLabel, labelPattern, labelText } from "../label-text.js";
import {
  type DocumentKey,
  type LexicalHit,
  type LexicalIndex,
  type LexicalMatch,
  type LexicalQuery,
  type LexicalScope,
  largeIndexFrom,
  type SearchDocument,
  type SearchKind,
  searchKinds,
} from "../lexical-index.js";
import { placeholders, type Sql, type SqlValue, valuesPerStatement } from "../sql.js";

const fields = ["title", "body", "tags", "files", "errors", "dates"] as const;

/**
 * Creates the search tables; contentless, since the records hold the text. `words/as-indexed.ts` must store words the same
 * way. Without its number, `remove_diacritics` leaves letters with two accents as they are.
 */
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
  await sql.run("CREATE TABLE kept_words (document_id INTEGER PRIMARY KEY, words TEXT NOT NULL)");
  for (const kind of searchKinds)
    await sql.run(`CREATE VIRTUAL TABLE ${tableOf(kind)} USING fts5(
      ${fields.join(", ")}, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
    )`);
}

/** One table per kind: how rare a word is depends on the kind, and a search reads only its own kind. */
function tableOf(kind: SearchKind): string {
  return `search_text_${kind}`;
}

export async function dropFts5Index(sql: Sql): Promise<void> {
  for (const table of ["search_text", ...searchKinds.map(tableOf)])
    await sql.run(`DROP TABLE IF EXISTS ${table}`);
  await sql.run("DROP TABLE IF EXISTS kept_words");
  await sql.run("DROP TABLE IF EXISTS documents");
}

interface MatchRow {
  id: string;
  source: string;
  score: number;
  documentNumber: number;
  time: number;
  isAllowed: 0 | 1;
}

/** The same, with the numbers of words of all fields, as FTS5 stores them, in hexadecimal. */
type MatchTuple = [
  documentNumber: number,
  id: string,
  source: string,
  time: number,
  score: number,
  isAllowed: 0 | 1,
  sizes: string,
];

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
    await sql.run(`DELETE FROM ${tableOf(key.kind)} WHERE rowid = ?`, documentId);
    await sql.run("DELETE FROM kept_words WHERE document_id = ?", documentId);
    await sql.run("DELETE FROM documents WHERE document_id = ?", documentId);
  };

  const columns = "documents.document_id AS documentNumber, documents.id, documents.source, documents.time";

  const bestMatches = (query: LexicalQuery) => {
    const table = tableOf(query.kind);
    const { condition, values } = allowedBy(query);
    return sql.all<MatchRow>(
      `SELECT ${columns}, -rank AS score, 1 AS isAllowed
       FROM ${table} JOIN documents ON documents.document_id = ${table}.rowid
       WHERE ${table} MATCH ? AND rank MATCH ? AND ${condition} ORDER BY rank LIMIT ?`,
      matchOf(query),
      rankingOf(query),
      ...values,
      query.limit,
    );
  };

  /** The best matches of a kind, inside the scope or not. As one text: hundreds of rows take longer to hand over than to find. */
  const bestWithContext = async (query: LexicalQuery): Promise<LexicalMatch[]> => {
    const table = tableOf(query.kind);
    const { condition, values } = allowedBy(query);
    const row = await sql.get<{ matches: string }>(
      `SELECT json_group_array(json_array(documents.document_id, documents.id, documents.source, documents.time,
         -found.rank, (${condition}), hex(sizes.sz))) AS matches
       FROM (SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?) AS found
       JOIN documents ON documents.document_id = found.rowid
       JOIN ${table}_docsize AS sizes ON sizes.id = found.rowid`,
      ...values,
      matchOf(query),
      rankingOf(query),
      query.limit,
    );
    const matches = JSON.parse(row?.matches ?? "[]") as MatchTuple[];
    return matches.map(([documentNumber, id, source, time, score, isAllowed, sizes]) => ({
      ...{ documentNumber, id, source, time, score },
      isAllowed: isAllowed === 1,
      length: wordsIn(sizes),
    }));
  };

  const newestMatches = (query: LexicalQuery) => {
    const table = tableOf(query.kind);
    const { condition, values } = allowedBy(query);
    return sql.all<MatchRow>(
      `SELECT ${columns}, 0 AS score, 1 AS isAllowed
       FROM ${table} JOIN documents ON documents.document_id = ${table}.rowid
       WHERE ${table} MATCH ? AND ${condition} ORDER BY ${table}.rowid DESC LIMIT ?`,
      matchOf(query),
      ...values,
      query.limit,
    );
  };

  const put = async (document: SearchDocument) => {
    await remove(document);
    await sql.run(
      "INSERT INTO documents (kind, id, source, labels, time) VALUES (?, ?, ?, ?, ?)",
      document.kind,
      document.id,
      document.source,
      labelText(document.labels),
      document.time,
    );
    const { kept = "" } = document;
    if (kept !== "")
      await sql.run("INSERT INTO kept_words (document_id, words) VALUES (last_insert_rowid(), ?)", kept);
    await sql.run(
      `INSERT INTO ${tableOf(document.kind)} (rowid, ${fields.join(", ")}) VALUES (last_insert_rowid(), ${fields.map(() => "?").join(", ")})`,
      ...fields.map((field) => (field === "body" ? `${document.body} ${kept}` : (document[field] ?? ""))),
    );
  };

  return {
    put,
    remove,

    async putAll(documents) {
      for (const document of documents) await put(document);
    },

    async search(query) {
      if (query.words.length === 0) return [];
      if (query.hasContext && query.order === undefined) return bestWithContext(query);
      const find = query.order === "newest" ? newestMatches : bestMatches;
      return (await find(query)).map(toMatch);
    },

    async keepAllowed(scope, ids) {
      const { condition, values } = allowedBy(scope);
      const rows: Omit<LexicalHit, "score">[] = [];
      for (let start = 0; start < ids.length; start += valuesPerStatement) {
        const some = ids.slice(start, start + valuesPerStatement);
        const found = await sql.all<Omit<LexicalHit, "score">>(
          `SELECT id, source FROM documents WHERE kind = ? AND id IN ${placeholders(some)} AND ${condition}`,
          scope.kind,
          ...some,
          ...values,
        );
        rows.push(...found);
      }
      return rows;
    },

    async estimateDocuments(kind) {
      const sizes = `${tableOf(kind)}_docsize`;
      // Alone, min and max are each read from the end of the table; in one SELECT they would scan it.
      const row = await sql.get<{ counted: number; numbers: number | null }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${sizes} LIMIT ?)) AS counted,
                (SELECT max(id) FROM ${sizes}) - (SELECT min(id) FROM ${sizes}) + 1 AS numbers`,
        largeIndexFrom,
      );
      const { counted, numbers } = row ?? { counted: 0, numbers: 0 };
      // Kinds share numbers, so this is an upper bound.
      return counted < largeIndexFrom ? counted : (numbers ?? 0);
    },

    async hasAllowed(scope) {
      const { condition, values } = allowedBy(scope);
      const found = `SELECT 1 FROM documents WHERE kind = ? AND ${condition} LIMIT 1`;
      return (await sql.get(found, scope.kind, ...values)) !== undefined;
    },

    async countHolding(kind, words, limit) {
      if (words.length === 0) return [];
      const table = tableOf(kind);
      const rows = await sql.all<{ count: number }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH words.value LIMIT ?)) AS count
         FROM json_each(?) AS words ORDER BY words.key`,
        limit,
        JSON.stringify(words.map((word) => anyOf([word]))),
      );
      return rows.map(({ count }) => count);
    },

    async readKept(kind, ids) {
      const kept = new Map<string, string>();
      for (let start = 0; start < ids.length; start += valuesPerStatement) {
        const some = ids.slice(start, start + valuesPerStatement);
        const rows = await sql.all<{ id: string; words: string }>(
          `SELECT documents.id, kept_words.words FROM documents JOIN kept_words USING (document_id)
           WHERE documents.kind = ? AND documents.id IN ${placeholders(some)}`,
          kind,
          ...some,
        );
        for (const { id, words } of rows) kept.set(id, words);
      }
      return kept;
    },

    async verify() {
      for (const kind of searchKinds) {
        const table = tableOf(kind);
        await sql.run(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
        const missing = await sql.get<{ id: string }>(
          `SELECT id FROM documents WHERE kind = ? AND document_id NOT IN (SELECT rowid FROM ${table}) LIMIT 1`,
          kind,
        );
        if (missing !== undefined)
          throw new RalphError("index-damaged", `The search index lacks ${missing.id}`, {
            hint: 'run "ralph index rebuild"',
          });
      }
    },
  };
}

/** Spelled out: hundreds of matches are made for each search, and spreading takes several times as long. */
function toMatch({ isAllowed, ...match }: MatchRow): LexicalMatch {
  return { ...match, isAllowed: isAllowed === 1 };
}

/** The weights of the fields, as FTS5 expects them. */
function rankingOf({ weights }: LexicalQuery): string {
  return `bm25(${fields.map((field) => weights[field] ?? 0).join(", ")})`;
}

/** The sum of SQLite's varints, in hexadecimal: seven bits per byte, the highest first. */
function wordsIn(sizes: string): number {
  let total = 0;
  let current = 0;
  for (let at = 0; at < sizes.length; at += 2) {
    const byte = Number.parseInt(sizes.slice(at, at + 2), 16);
    current = current * 128 + (byte & 127);
    if (byte >= 128) continue;
    total += current;
    current = 0;
  }
  return total;
}

/** Any of the words; required ones appear twice, and so score twice. */
function matchOf({ words, required = { groups: [] } }: LexicalQuery): string {
  const { groups, alternative = [], boosted = [] } = required;
  if (groups.length === 0) return anyOf(words);
  const eachGroup = groups.map((group) => `(${anyOf(group)})`).join(" AND ");
  const together = alternative.map((word) => anyOf([word])).join(" AND ");
  const needed = together === "" ? eachGroup : `(${eachGroup}) OR (${together})`;
  return `(${needed}) AND (${anyOf([...words, ...boosted])})`;
}

function anyOf(words: readonly string[]): string {
  return words
    .map((word) => (word.endsWith("*") ? `"${quoted(word.slice(0, -1))}" *` : `"${quoted(word)}"`))
    .join(" OR ");
}

function quoted(word: string): string {
  return word.replaceAll('"', '""');
}

/** The SQL condition of a scope, apart from its kind. */
function allowedBy({ sources, labelGroups, since }: LexicalScope): { condition: string; values: SqlValue[] } {
  const labels = labelGroups.map((group) => `AND ${hasAnyLabel("documents.labels", group)}`).join(" ");
  return {
    condition: `documents.source IN ${placeholders(sources)} ${labels} AND documents.time >= ?`,
    values: [...sources, ...labelGroups.flat().map(labelPattern), since ?? Number.MIN_SAFE_INTEGER],
  };
}
