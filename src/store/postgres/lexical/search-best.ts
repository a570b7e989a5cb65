import type { LexicalMatch, LexicalQuery } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
import { withinContext } from "../../within-context.js";
import { parseNumbers } from "./array-text.js";
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
  const [documents, postings, size] = await Promise.all([
    readDocuments(sql, part, query, matches),
    readPostings(sql, part, terms, weightsByField(query.weights)),
    readSize(sql, part),
  ]);
  const { numbers, ids, sources, times, lengths, allowed } = documents;
  const places = new Map(numbers.map((number, place) => [number, place]));
  const scores = scoreMatches(lengths, expression, frequenciesIn(postings, places), size);
  const found = numbers.map((documentNumber, place) => ({
    documentNumber,
    place,
    score: scores[place] ?? 0,
  }));
  found.sort((one, other) => other.score - one.score || one.documentNumber - other.documentNumber);
  const best = query.limit === -1 ? found : found.slice(0, query.limit);
  const wanted = query.context === undefined ? best : withinContext(best, query.context);
  return wanted.map(({ documentNumber, place, score }) => ({
    ...{ documentNumber, id: ids[place] ?? "", source: sources[place] ?? "", time: times[place] ?? 0, score },
    ...{ isAllowed: allowed[place] === 1, length: lengths[place] ?? 0 },
  }));
}

/** Documents by column. */
interface Documents {
  numbers: number[];
  ids: string[];
  sources: string[];
  times: number[];
  lengths: number[];
  allowed: number[];
}

/** In one row: hundreds of rows take longer to hand over than to find. */
async function readDocuments(
  sql: Sql,
  part: IndexPart,
  query: LexicalQuery,
  matches: Fragment,
): Promise<Documents> {
  const allowed = allowedBy(query);
  const found = documentsAt(part, matches);
  const isInContext = query.context !== undefined;
  const [column, condition] = isInContext ? [`${allowed.text}::integer`, "TRUE"] : ["1", allowed.text];
  const [before, after] = isInContext ? [allowed.values, []] : [[], allowed.values];
  const row = await sql.get<Record<keyof Documents, string | null>>(
    `SELECT array_agg(number)::text AS numbers, json_agg(id)::text AS ids, json_agg(source)::text AS sources,
       array_agg(time)::text AS times, array_agg(length)::text AS lengths, array_agg(${column})::text AS allowed
     FROM ${found.text} WHERE ${condition}`,
    ...[...before, ...found.values, ...after],
  );
  return {
    numbers: parseNumbers(row?.numbers ?? "{}"),
    ids: JSON.parse(row?.ids ?? "[]") as string[],
    sources: JSON.parse(row?.sources ?? "[]") as string[],
    times: parseNumbers(row?.times ?? "{}"),
    lengths: parseNumbers(row?.lengths ?? "{}"),
    allowed: parseNumbers(row?.allowed ?? "{}"),
  };
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
