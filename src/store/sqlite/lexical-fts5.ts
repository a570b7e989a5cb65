import { RalphError } from "../../domain/ralph-error.js";
import { hasAnyLabel, labelPattern, labelText } from "../label-text.js";
import {
  type DocumentKey,
  exactlyCounted,
  type LexicalHit,
  type LexicalIndex,
  type LexicalQuery,
  type LexicalScope,
  type Neighbours,
  type SearchKind,
  searchKinds,
} from "../lexical-index.js";
import { placeholders, type Sql, type SqlValue, valuesPerStatement } from "../sql.js";

const fields = ["title", "body", "tags", "files", "errors", "dates"] as const;

/** Makes the search tables; words are stored without their text, which lives in the records themselves. */
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
  for (const kind of searchKinds)
    await sql.run(`CREATE VIRTUAL TABLE ${tableOf(kind)} USING fts5(
      ${fields.join(", ")}, content='', contentless_delete=1, tokenize='porter unicode61'
    )`);
}

/** Each kind has a table of its own: how rare a word is depends on the kind, and none has to look through the others. */
function tableOf(kind: SearchKind): string {
  return `search_text_${kind}`;
}

export async function dropFts5Index(sql: Sql): Promise<void> {
  for (const table of ["search_text", ...searchKinds.map(tableOf)])
    await sql.run(`DROP TABLE IF EXISTS ${table}`);
  await sql.run("DROP TABLE IF EXISTS documents");
}

interface Candidate extends LexicalHit {
  documentId: number;
  time: number;
  isAllowed: 0 | 1;
  /** How many words each of its fields has, in SQLite's own numbers; where neighbours count. */
  sizes?: Uint8Array;
}

/** So many more results are looked at for ties with the last one. */
const tiedResults = 20;
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
    await sql.run(`DELETE FROM ${tableOf(key.kind)} WHERE rowid = ?`, documentId);
    await sql.run("DELETE FROM documents WHERE document_id = ?", documentId);
  };

  /** The best matches of a kind; without neighbours, only those that the query allows. */
  const bestMatches = (query: LexicalQuery, count: number, neighbours?: Neighbours) => {
    const table = tableOf(query.kind);
    const { condition, values } = allowedBy(query);
    const columns = "documents.document_id AS documentId, documents.id, documents.source, documents.time";
    const matched = [matchOf(query), `bm25(${fields.map((field) => query.weights[field] ?? 0).join(", ")})`];
    if (neighbours === undefined)
      return sql.all<Candidate>(
        `SELECT ${columns}, -rank AS score, 1 AS isAllowed
         FROM ${table} JOIN documents ON documents.document_id = ${table}.rowid
         WHERE ${table} MATCH ? AND rank MATCH ? AND ${condition} ORDER BY rank LIMIT ?`,
        ...matched,
        ...values,
        count,
      );
    return sql.all<Candidate>(
      `SELECT ${columns}, -found.rank AS score, (${condition}) AS isAllowed, sizes.sz AS sizes
       FROM (SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?) AS found
       JOIN documents ON documents.document_id = found.rowid
       JOIN ${table}_docsize AS sizes ON sizes.id = found.rowid`,
      ...values,
      ...matched,
      count,
    );
  };

  const newestMatches = (query: LexicalQuery) => {
    const table = tableOf(query.kind);
    const { condition, values } = allowedBy(query);
    return sql.all<LexicalHit>(
      `SELECT documents.id, documents.source, 0 AS score
       FROM ${table} JOIN documents ON documents.document_id = ${table}.rowid
       WHERE ${table} MATCH ? AND ${condition} ORDER BY ${table}.rowid DESC LIMIT ?`,
      anyOf(query.words),
      ...values,
      query.limit,
    );
  };

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
        `INSERT INTO ${tableOf(document.kind)} (rowid, ${fields.join(", ")}) VALUES (last_insert_rowid(), ${fields.map(() => "?").join(", ")})`,
        ...fields.map((field) => document[field] ?? ""),
      );
    },

    async search(query) {
      if (query.words.length === 0) return [];
      const { neighbours, limit } = query;
      if (query.order === "newest") return shown(await newestMatches(query), limit);
      const alone = async () => {
        const best = await bestMatches(query, limit === -1 ? -1 : limit + tiedResults);
        return shown(best.sort(bestThenNewest), limit);
      };
      if (neighbours === undefined) return alone();
      // The best matches first, whatever they are, then those among them that the query allows.
      const taken = limit === -1 ? -1 : Math.max(spreadResults, limit * 4 + 40);
      const candidates = await bestMatches(query, taken, neighbours);
      spread(candidates, neighbours);
      const hits = candidates.filter((candidate) => candidate.isAllowed === 1).sort(bestThenNewest);
      const areAll = limit === -1 || candidates.length < taken;
      return areAll || hits.length >= limit ? shown(hits, limit) : alone();
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
      // Each end alone is found at once; both in one question would be looked for among all.
      const row = await sql.get<{ counted: number; numbers: number | null }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${sizes} LIMIT ?)) AS counted,
                (SELECT max(id) FROM ${sizes}) - (SELECT min(id) FROM ${sizes}) + 1 AS numbers`,
        exactlyCounted,
      );
      const { counted, numbers } = row ?? { counted: 0, numbers: 0 };
      // Numbers are shared by all kinds: there may be fewer documents than that.
      return counted < exactlyCounted ? counted : (numbers ?? 0);
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

/**
 * Each of two neighbours gains a share of what the other one scored by its own words: the whole share where it is short, as
 * a long document says by itself what it is about. Documents are numbered as they come, so that those written one after the
 * other have numbers one after the other.
 */
function spread(candidates: readonly Candidate[], { count, within, share, upTo }: Neighbours): void {
  const shareOf = ({ sizes }: Candidate) => share * Math.min(1, upTo / Math.max(1, wordsIn(sizes)));
  const byNumber = new Map(candidates.map((candidate) => [candidate.documentId, candidate]));
  const own = new Map(candidates.map((candidate) => [candidate, candidate.score]));
  for (const [candidate, score] of own) {
    for (let distance = 1; distance <= count; distance += 1) {
      const next = byNumber.get(candidate.documentId + distance);
      if (next === undefined || next.source !== candidate.source) continue;
      if (Math.abs(next.time - candidate.time) > within) continue;
      candidate.score += shareOf(candidate) * (own.get(next) ?? 0);
      next.score += shareOf(next) * score;
    }
  }
}

/** The sum of numbers that SQLite wrote with seven bits in a byte, the highest first. */
function wordsIn(sizes: Uint8Array | undefined): number {
  let total = 0;
  let current = 0;
  for (const byte of sizes ?? []) {
    current = current * 128 + (byte & 127);
    if (byte >= 128) continue;
    total += current;
    current = 0;
  }
  return total;
}

/** Scores whose difference is a smaller share of them than this are the same but for rounding. */
const scoreStep = 1e-9;

function bestThenNewest(a: Candidate, b: Candidate): number {
  if (Math.abs(a.score - b.score) > scoreStep * Math.max(a.score, b.score)) return b.score - a.score;
  return b.time - a.time || b.documentId - a.documentId;
}

function shown(hits: readonly LexicalHit[], limit: number): LexicalHit[] {
  return (limit === -1 ? hits : hits.slice(0, limit)).map(({ id, source, score }) => ({ id, source, score }));
}

/** Any of the words; where some are required, the others only add to the score. What is required stands here twice, and counts so. */
function matchOf({ words, required = { groups: [] } }: LexicalQuery): string {
  const { groups, orAll = [], alike = [] } = required;
  if (groups.length === 0) return anyOf(words);
  const eachGroup = groups.map((group) => `(${anyOf(group)})`).join(" AND ");
  const together = orAll.map((word) => anyOf([word])).join(" AND ");
  const needed = together === "" ? eachGroup : `(${eachGroup}) OR (${together})`;
  return `(${needed}) AND (${anyOf([...words, ...alike])})`;
}

function anyOf(words: readonly string[]): string {
  return words
    .map((word) => (word.endsWith("*") ? `"${quoted(word.slice(0, -1))}" *` : `"${quoted(word)}"`))
    .join(" OR ");
}

function quoted(word: string): string {
  return word.replaceAll('"', '""');
}

/** What a document has to fulfil to be shown, beside its kind. */
function allowedBy({ sources, labelGroups, since }: LexicalScope): { condition: string; values: SqlValue[] } {
  const labels = labelGroups.map((group) => `AND ${hasAnyLabel("documents.labels", group)}`).join(" ");
  return {
    condition: `documents.source IN ${placeholders(sources)} ${labels} AND documents.time >= ?`,
    values: [...sources, ...labelGroups.flat().map(labelPattern), since ?? Number.MIN_SAFE_INTEGER],
  };
}
