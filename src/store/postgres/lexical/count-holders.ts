import type { Sql } from "../../sql.js";
import { textArray } from "./array-text.js";
import { expressionOf, isEmpty, isPhrase, type Term } from "./expression.js";
import { rangesOf, textsWithPhrase } from "./holders-sql.js";
import type { IndexPart } from "./index-part.js";

/** How many documents hold each word, up to a limit: all in one round trip. */
export async function countHolders(
  sql: Sql,
  part: IndexPart,
  words: readonly string[],
  limit: number,
): Promise<number[]> {
  const terms = expressionOf({ words }).any;
  const distinct = [...new Set(terms)].filter((term) => !isEmpty(term));
  const single = distinct.filter((term) => !isPhrase(term));
  const counts = await Promise.all([
    countWords(
      sql,
      part,
      single.filter(({ isPrefix }) => !isPrefix),
    ),
    countPrefixes(
      sql,
      part,
      single.filter(({ isPrefix }) => isPrefix),
    ),
    ...distinct.filter(isPhrase).map((phrase) => countPhrase(sql, part, phrase)),
  ]);
  const known = new Map(counts.flat());
  return terms.map((term) => Math.min(known.get(term) ?? 0, limit));
}

type Count = [Term, number];

async function countWords(sql: Sql, { version, kind }: IndexPart, terms: readonly Term[]): Promise<Count[]> {
  if (terms.length === 0) return [];
  const rows = await sql.all<{ place: number; holders: number }>(
    `SELECT asked.place::integer AS place, held.holders FROM unnest(?::text[]) WITH ORDINALITY AS asked(word, place)
     CROSS JOIN LATERAL (
       SELECT sum(holders) AS holders FROM search_postings
       WHERE project = :project AND version = ? AND kind = ? AND word = asked.word OFFSET 0
     ) AS held WHERE held.holders > 0`,
    ...[textArray(terms.map(({ words }) => words[0] ?? "")), version, kind],
  );
  return byPlace(terms, rows);
}

async function countPrefixes(
  sql: Sql,
  { version, kind }: IndexPart,
  terms: readonly Term[],
): Promise<Count[]> {
  if (terms.length === 0) return [];
  const ranges = rangesOf(terms);
  const rows = await sql.all<{ place: number; holders: number }>(
    `SELECT asked.place::integer AS place, held.holders
     FROM ${ranges.text} WITH ORDINALITY AS asked(low, high, place) CROSS JOIN LATERAL (
       SELECT count(*) AS holders FROM (
         SELECT DISTINCT unnest(numbers) FROM search_postings WHERE project = :project AND version = ? AND kind = ?
           AND word >= asked.low AND word <= asked.high
       ) AS each OFFSET 0
     ) AS held`,
    ...ranges.values,
    ...[version, kind],
  );
  return byPlace(terms, rows);
}

function byPlace(terms: readonly Term[], rows: readonly { place: number; holders: number }[]): Count[] {
  return rows.flatMap(({ place, holders }) => {
    const term = terms[place - 1];
    return term === undefined ? [] : [[term, holders]];
  });
}

async function countPhrase(sql: Sql, part: IndexPart, phrase: Term): Promise<Count[]> {
  const found = textsWithPhrase(part, phrase);
  const row = await sql.get<{ holders: number }>(
    `SELECT count(*) AS holders FROM ${found.text}`,
    ...found.values,
  );
  return [[phrase, row?.holders ?? 0]];
}
