import { noLimit, type Sql } from "../../sql.js";
import { numberArray, textArray } from "./array-text.js";
import { countHolders } from "./count-holders.js";
import { expressionOf, isEmpty, isPhrase, type Term } from "./expression.js";
import type { IndexPart } from "./index-part.js";

/**
 * How many documents hold each word; beyond the limit the estimate that FTS5's index makes: from the number of the document up
 * to which one more than the limit hold it.
 */
export async function estimateHolders(
  sql: Sql,
  part: IndexPart,
  words: readonly string[],
  limit: number,
): Promise<number[]> {
  const terms = expressionOf({ words }).any;
  const single = [...new Set(terms)].filter((term) => !isEmpty(term) && !isPhrase(term) && !term.isPrefix);
  const [counts, reached, numbers] = await Promise.all([
    countHolders(sql, part, words, noLimit),
    readReached(sql, part, single, limit),
    readNumbers(sql, part),
  ]);
  return terms.map((term, place) => {
    const count = counts[place] ?? 0;
    const last = reached.get(term);
    if (count <= limit || last === undefined) return count;
    return Math.round(((limit + 1) * (numbers.last - numbers.first + 1)) / (last - numbers.first + 1));
  });
}

/** The numbers of the documents that are one too many, by the running sum of the blocks' documents. */
async function readReached(
  sql: Sql,
  { version, kind }: IndexPart,
  terms: readonly Term[],
  limit: number,
): Promise<Map<Term, number>> {
  if (terms.length === 0) return new Map();
  const rows = await sql.all<{ place: number; last: number }>(
    `SELECT asked.place, (
         SELECT DISTINCT each FROM unnest(block.numbers) AS each ORDER BY each
         OFFSET ?::integer - (block.upto - block.holders) LIMIT 1
       ) AS last
     FROM unnest(?::text[], ?::integer[]) AS asked(word, place) CROSS JOIN LATERAL (
       SELECT summed.numbers, summed.holders, summed.upto FROM (
         SELECT first_number, numbers, holders, sum(holders) OVER (ORDER BY first_number) AS upto FROM search_postings
         WHERE project = :project AND version = ? AND kind = ? AND word = asked.word
       ) AS summed WHERE summed.upto > ? ORDER BY summed.first_number LIMIT 1
     ) AS block`,
    limit,
    textArray(terms.map(({ words }) => words[0] ?? "")),
    numberArray(terms.map((_, place) => place)),
    ...[version, kind, limit],
  );
  return new Map(
    rows.flatMap(({ place, last }) => {
      const term = terms[place];
      return term === undefined ? [] : [[term, last] as const];
    }),
  );
}

async function readNumbers(sql: Sql, { version, kind }: IndexPart): Promise<{ first: number; last: number }> {
  const inPart = "SELECT number FROM search_documents WHERE project = :project AND version = ? AND kind = ?";
  const row = await sql.get<{ first: number | null; last: number | null }>(
    `SELECT (${inPart} ORDER BY number LIMIT 1) AS first, (${inPart} ORDER BY number DESC LIMIT 1) AS last`,
    ...[version, kind, version, kind],
  );
  return { first: row?.first ?? 0, last: row?.last ?? 0 };
}
