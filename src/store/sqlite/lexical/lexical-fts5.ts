import { RalphError } from "../../../domain/ralph-error.js";
import {
  type DocumentKey,
  type IndexedDocument,
  type LexicalIndex,
  type LexicalMatch,
  type LexicalQuery,
  type LexicalScope,
  type MatchContext,
  type SearchDocument,
  searchKinds,
  withinContext,
} from "../../lexical-index.js";
import { placeholders, type Sql, type SqlValue, valuesPerStatement } from "../../sql.js";
import { hasAnyLabel, labelPattern, labelText } from "../../stored-text.js";
import { fts5Counts } from "./count-fts5.js";
import { countFrequentWords, fields, frequentWordsTable, matchOf, rankingOf, tableOf } from "./fts5-query.js";

/**
 * The search tables; contentless, since the records hold the text. `words/as-indexed.ts` must store words the same way. Without its
 * number, `remove_diacritics` leaves letters with two accents as they are.
 */
export const fts5Statements: readonly string[] = [
  `CREATE TABLE documents (
    document_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    labels TEXT NOT NULL,
    time BIGINT NOT NULL,
    UNIQUE (kind, id, source)
  )`,
  frequentWordsTable,
  "CREATE TABLE kept_words (document_id INTEGER PRIMARY KEY, words TEXT NOT NULL)",
  ...searchKinds.map(
    (kind) => `CREATE VIRTUAL TABLE ${tableOf(kind)} USING fts5(
      ${fields.join(", ")}, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
    )`,
  ),
];

export async function createFts5Index(sql: Sql): Promise<void> {
  for (const statement of fts5Statements) await sql.run(statement);
}

export async function dropFts5Index(sql: Sql): Promise<void> {
  for (const table of ["search_text", ...searchKinds.map(tableOf)])
    await sql.run(`DROP TABLE IF EXISTS ${table}`);
  await sql.run("DROP TABLE IF EXISTS kept_words");
  await sql.run("DROP TABLE IF EXISTS documents");
}

/** With more parts, a search spends a good part of its time on looking up each word in every one of them. */
const mostSegments = 4;

/** Makes one part of the many that writing leaves behind, and counts words; this reads and writes the whole index. */
export async function mergeFts5Index(sql: Sql): Promise<void> {
  for (const kind of searchKinds) {
    const table = tableOf(kind);
    const found = await sql.get<{ segments: number }>(
      `SELECT count(DISTINCT segid) AS segments FROM ${table}_idx`,
    );
    if ((found?.segments ?? 0) > mostSegments)
      await sql.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  }
  await countFrequentWords(sql);
}

interface MatchRow {
  id: string;
  source: string;
  score: number;
  documentNumber: number;
  time: number;
  isAllowed: 0 | 1;
}

/** What is known of a match, with the numbers of words of all fields, as FTS5 stores them, in hexadecimal. */
type MatchTuple = [
  documentNumber: number,
  id: string,
  source: string,
  time: number,
  isAllowed: 0 | 1,
  sizes: string,
];

/** A match by its number only. */
interface RankedNumber {
  documentNumber: number;
  score: number;
}

/** All matches of a query: the number of each and its rank, the lowest of which is the best. */
interface RankedMatches {
  numbers: readonly number[];
  ranks: readonly number[];
}

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

  /** All matches as two lists: SQLite takes longer to sort and to hand over hundreds of rows than to find and score them. */
  const rankAll = async (query: LexicalQuery): Promise<RankedMatches> => {
    const table = tableOf(query.kind);
    const row = await sql.get<{ numbers: string; ranks: string }>(
      `SELECT json_group_array(rowid) AS numbers, json_group_array(rank) AS ranks
       FROM ${table} WHERE ${table} MATCH ? AND rank MATCH ?`,
      matchOf(query),
      rankingOf(query),
    );
    return { numbers: JSON.parse(row?.numbers ?? "[]"), ranks: JSON.parse(row?.ranks ?? "[]") };
  };

  /** What ranking needs to know about matches: of all of them, or only of those inside the scope. */
  const describe = async (
    query: LexicalQuery,
    ranked: readonly RankedNumber[],
    isOnlyAllowed: boolean,
  ): Promise<LexicalMatch[]> => {
    if (ranked.length === 0) return [];
    const { condition, values } = allowedBy(query);
    const row = await sql.get<{ matches: string }>(
      `SELECT json_group_array(json_array(documents.document_id, documents.id, documents.source, documents.time,
         ${isOnlyAllowed ? "1" : `(${condition})`}, hex(sizes.sz))) AS matches
       FROM json_each(?) AS found CROSS JOIN documents ON documents.document_id = found.value
       JOIN ${tableOf(query.kind)}_docsize AS sizes ON sizes.id = found.value
       ${isOnlyAllowed ? `WHERE ${condition}` : ""}`,
      ...(isOnlyAllowed ? [] : values),
      JSON.stringify(ranked.map(({ documentNumber }) => documentNumber)),
      ...(isOnlyAllowed ? values : []),
    );
    const scores = new Map(ranked.map(({ documentNumber, score }) => [documentNumber, score]));
    const matches = JSON.parse(row?.matches ?? "[]") as MatchTuple[];
    return matches.map(([documentNumber, id, source, time, isAllowed, sizes]) => ({
      ...{ documentNumber, id, source, time, score: scores.get(documentNumber) ?? 0 },
      isAllowed: isAllowed === 1,
      length: wordsIn(sizes),
    }));
  };

  /** Matches with what is around them, inside the scope or not. */
  const bestInContext = async (query: LexicalQuery, context: MatchContext): Promise<LexicalMatch[]> => {
    const best = bestOf(await rankAll(query), query.limit);
    return describe(query, withinContext(best, context), false);
  };

  /** The best matches inside the scope; mostly they are the best of all. */
  const bestMatches = async (query: LexicalQuery): Promise<LexicalMatch[]> => {
    const ranked = await rankAll(query);
    const best = bestOf(ranked, query.limit);
    const matches = await describe(query, best, true);
    if (matches.length === best.length || best.length === ranked.numbers.length) return matches;
    return (await describe(query, bestOf(ranked, -1), true)).slice(0, query.limit);
  };

  const unrankedMatches = (query: LexicalQuery) => {
    const table = tableOf(query.kind);
    const { condition, values } = allowedBy(query);
    return sql.all<MatchRow>(
      `SELECT ${columns}, 0 AS score, 1 AS isAllowed
       FROM ${table} JOIN documents ON documents.document_id = ${table}.rowid
       WHERE ${table} MATCH ? AND ${condition} ${query.order === "newest" ? `ORDER BY ${table}.rowid DESC` : ""} LIMIT ?`,
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
    ...fts5Counts(sql),
    put,
    remove,

    async putAll(documents) {
      for (const document of documents) await put(document);
    },

    async search(query) {
      if (query.words.length === 0) return [];
      if (query.order !== undefined) return (await unrankedMatches(query)).map(toMatch);
      return query.context === undefined ? bestMatches(query) : bestInContext(query, query.context);
    },

    async keepAllowed(scope, ids) {
      const { condition, values } = allowedBy(scope);
      const rows: IndexedDocument[] = [];
      for (let start = 0; start < ids.length; start += valuesPerStatement) {
        const some = ids.slice(start, start + valuesPerStatement);
        const found = await sql.all<IndexedDocument>(
          `SELECT id, source, time FROM documents WHERE kind = ? AND id IN ${placeholders(some)} AND ${condition}`,
          scope.kind,
          ...some,
          ...values,
        );
        rows.push(...found);
      }
      return rows;
    },

    async hasAllowed(scope) {
      const { condition, values } = allowedBy(scope);
      const found = `SELECT 1 FROM documents WHERE kind = ? AND ${condition} LIMIT 1`;
      return (await sql.get(found, scope.kind, ...values)) !== undefined;
    },

    countFrequentWords: () => countFrequentWords(sql),

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

function toMatch({ isAllowed, ...match }: MatchRow): LexicalMatch {
  return { ...match, isAllowed: isAllowed === 1 };
}

/** The best matches, the best first; -1 for all. There may be thousands, of which only the best become objects. */
function bestOf({ numbers, ranks }: RankedMatches, limit: number): RankedNumber[] {
  const isCut = limit !== -1 && ranks.length > limit;
  // Sorted as numbers, which needs no comparing function.
  const last = isCut ? (new Float64Array(ranks).sort()[limit - 1] ?? 0) : Number.POSITIVE_INFINITY;
  const best: RankedNumber[] = [];
  for (let place = 0; place < ranks.length; place += 1) {
    const rank = ranks[place] as number;
    if (rank <= last) best.push({ documentNumber: numbers[place] as number, score: -rank });
  }
  best.sort((one, other) => other.score - one.score);
  // Several may tie with the last one.
  return isCut ? best.slice(0, limit) : best;
}

/** The sum of SQLite's varints, in hexadecimal: seven bits per byte, the highest first. */
function wordsIn(sizes: string): number {
  let total = 0;
  let current = 0;
  for (let at = 0; at < sizes.length; at += 2) {
    const byte = hexDigit(sizes.charCodeAt(at)) * 16 + hexDigit(sizes.charCodeAt(at + 1));
    current = current * 128 + (byte & 127);
    if (byte >= 128) continue;
    total += current;
    current = 0;
  }
  return total;
}

/** Of a capital, as SQLite writes them. */
function hexDigit(code: number): number {
  return code <= 57 ? code - 48 : code - 55;
}

/** The SQL condition of a scope, apart from its kind. */
function allowedBy({ sources, labelGroups, since }: LexicalScope): { condition: string; values: SqlValue[] } {
  const labels = labelGroups.map((group) => `AND ${hasAnyLabel("documents.labels", group)}`).join(" ");
  return {
    condition: `documents.source IN ${placeholders(sources)} ${labels} AND documents.time >= ?`,
    values: [...sources, ...labelGroups.flat().map(labelPattern), since ?? Number.MIN_SAFE_INTEGER],
  };
}
