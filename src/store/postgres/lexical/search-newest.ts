import type { LexicalMatch, LexicalQuery } from "../../lexical-index.js";
import { noLimit, type Sql } from "../../sql.js";
import { type Expression, expressionOf, isEmpty, isPhrase } from "./expression.js";
import { type Fragment, matchesOf, rangesOf } from "./holders-sql.js";
import type { IndexPart } from "./index-part.js";
import { allowedBy, documentsAt } from "./scope-sql.js";

/** The last indexed matches, without scores. */
export async function searchNewest(sql: Sql, version: number, query: LexicalQuery): Promise<LexicalMatch[]> {
  const part: IndexPart = { version, kind: query.kind };
  const expression = expressionOf(query);
  const early = await searchLastBlocks(sql, part, query, expression);
  if (early !== undefined) return early;
  const matches = matchesOf(part, expression);
  if (matches === undefined) return [];
  const allowed = allowedBy(query);
  const found = documentsAt(part, matches);
  const rows = await sql.all<DocumentRow>(
    `SELECT ${columns} FROM ${found.text} WHERE ${allowed.text} ORDER BY number DESC LIMIT ?`,
    ...[...found.values, ...allowed.values, limitOf(query)],
  );
  return rows.map(toMatch);
}

interface DocumentRow {
  number: number;
  id: string;
  source: string;
  time: number;
}

const columns = "number, id, source, time";

/** Enough for the usual limits, and no more to read than a few pages for each word. */
const blocksPerWord = 4;

/**
 * For any of some words: the newest documents are in the last blocks of each. Undefined if those are too few, or if words are required.
 */
async function searchLastBlocks(
  sql: Sql,
  part: IndexPart,
  query: LexicalQuery,
  { groups, any }: Expression,
): Promise<LexicalMatch[] | undefined> {
  const terms = [...new Set(any)].filter((term) => !isEmpty(term));
  const isSimple =
    groups.length === 0 && query.limit !== -1 && !terms.some((term) => isPhrase(term) || term.isPrefix);
  if (!isSimple || terms.length === 0) return undefined;
  const blocks = lastBlocks(part, rangesOf(terms));
  const found = documentsAt(part, { text: "SELECT unnest(numbers) FROM block", values: [] });
  const allowed = allowedBy(query);
  const rows = await sql.all<DocumentRow & { complete_from: number | null }>(
    `WITH block AS MATERIALIZED (${blocks.text})
     SELECT ${columns}, (
         SELECT max(word.oldest) FROM (
           SELECT min(first_number) AS oldest FROM block GROUP BY low HAVING count(*) = ${blocksPerWord}
         ) AS word
       ) AS complete_from
     FROM ${found.text} WHERE ${allowed.text} ORDER BY number DESC LIMIT ?`,
    ...[...blocks.values, ...found.values, ...allowed.values, limitOf(query)],
  );
  const from = rows[0]?.complete_from ?? 0;
  const complete = rows.filter(({ number }) => number >= from);
  const areAll = complete.length === query.limit || (rows.length > 0 && from === 0);
  return areAll ? complete.map(toMatch) : undefined;
}

function lastBlocks({ version, kind }: IndexPart, ranges: Fragment): Fragment {
  return {
    text: `SELECT asked.low, last.first_number, last.numbers FROM ${ranges.text} AS asked(low, high) CROSS JOIN LATERAL (
        SELECT first_number, numbers FROM search_postings
        WHERE project = :project AND version = ? AND kind = ? AND word = asked.low
        ORDER BY first_number DESC LIMIT ${blocksPerWord}
      ) AS last`,
    values: [...ranges.values, version, kind],
  };
}

function limitOf({ limit }: LexicalQuery): number {
  return limit === -1 ? noLimit : limit;
}

function toMatch({ number, id, source, time }: DocumentRow): LexicalMatch {
  return { documentNumber: number, id, source, time, score: 0, isAllowed: true };
}
