import type { LexicalMatch, LexicalQuery } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
import { withinContext } from "../../within-context.js";
import { expressionOf } from "./expression.js";
import { type Fragment, matchesOf } from "./holders-sql.js";
import type { IndexPart } from "./index-part.js";
import { allowedBy, documentsAt } from "./scope-sql.js";
import { type IndexSize, scoreMatches } from "./score-matches.js";
import { frequenciesIn, readPostings } from "./term-frequencies.js";
import { weightsByField } from "./words/counted-words.js";

/** The best matches: what may match, where its words are and how large the index is are asked for together. */
export async function searchBest(sql: Sql, version: number, query: LexicalQuery): Promise<LexicalMatch[]> {
  const part: IndexPart = { version, kind: query.kind };
  const expression = expressionOf(query);
  const matches = matchesOf(part, expression);
  if (matches === undefined) return [];
  const terms = [...expression.groups.flat(), ...expression.alternative, ...expression.any];
  const [rows, postings, size] = await Promise.all([
    readDocuments(sql, part, query, matches),
    readPostings(sql, part, terms, weightsByField(query.weights)),
    readSize(sql, part),
  ]);
  const places = new Map(rows.map(({ number }, place) => [number, place]));
  const scores = scoreMatches(
    rows.map(({ length }) => length),
    expression,
    frequenciesIn(postings, places),
    size,
  );
  const found = rows.map((row, place) => toMatch(row, scores[place] ?? 0));
  found.sort((one, other) => other.score - one.score || one.documentNumber - other.documentNumber);
  const best = query.limit === -1 ? found : found.slice(0, query.limit);
  return query.context === undefined ? best : withinContext(best, query.context);
}

interface DocumentRow {
  number: number;
  id: string;
  source: string;
  time: number;
  length: number;
  allowed: 0 | 1;
}

function readDocuments(
  sql: Sql,
  { version, kind }: IndexPart,
  query: LexicalQuery,
  matches: Fragment,
): Promise<DocumentRow[]> {
  const allowed = allowedBy(query);
  const found = documentsAt({ version, kind }, matches);
  const isInContext = query.context !== undefined;
  const [column, condition] = isInContext ? [`${allowed.text}::integer`, "TRUE"] : ["1", allowed.text];
  const [before, after] = isInContext ? [allowed.values, []] : [[], allowed.values];
  return sql.all<DocumentRow>(
    `SELECT number, id, source, time, length, ${column} AS allowed FROM ${found.text} WHERE ${condition}`,
    ...[...before, ...found.values, ...after],
  );
}

/** As FTS5 counts: what was replaced or removed is not taken off until the index is built again. */
async function readSize(sql: Sql, { version, kind }: IndexPart): Promise<IndexSize> {
  const size = await sql.get<IndexSize>(
    `SELECT last_number AS documents, words_ever AS words FROM search_counts
     WHERE project = :project AND version = ? AND kind = ?`,
    ...[version, kind],
  );
  return size ?? { documents: 0, words: 0 };
}

function toMatch({ number, allowed, ...row }: DocumentRow, score: number): LexicalMatch {
  return { ...row, documentNumber: number, score, isAllowed: allowed === 1 };
}
