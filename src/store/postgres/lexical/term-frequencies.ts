import type { Sql } from "../../sql.js";
import { parseNumbers } from "./array-text.js";
import { isEmpty, isPhrase, type Term } from "./expression.js";
import { rangesOf, textsWithPhrase } from "./holders-sql.js";
import type { IndexPart } from "./index-part.js";
import type { TermFrequencies } from "./score-matches.js";
import { fields, weigh } from "./words/counted-words.js";

/** The documents that hold a term, each once for each field, and what the field adds to the frequency. */
interface Posting {
  numbers: readonly number[];
  added: readonly number[];
}

export type Postings = ReadonlyMap<Term, readonly Posting[]>;

/** Reads where terms are, in one round trip. */
export async function readPostings(
  sql: Sql,
  part: IndexPart,
  terms: readonly Term[],
  weights: readonly number[],
): Promise<Postings> {
  const distinct = [...new Set(terms)].filter((term) => !isEmpty(term));
  const single = distinct.filter((term) => !isPhrase(term));
  const [blocks, ...phrases] = await Promise.all([
    readBlocks(sql, part, single),
    ...distinct.filter(isPhrase).map((phrase) => readPhrase(sql, part, phrase, weights)),
  ]);
  const found = new Map<Term, Posting[]>(phrases);
  for (const { place, numbers, counts } of blocks) {
    const term = single[place - 1];
    if (term === undefined) continue;
    const added = parseNumbers(counts).map((count) => weigh(count, weights));
    const postings = found.get(term) ?? [];
    postings.push({ numbers: parseNumbers(numbers), added });
    found.set(term, postings);
  }
  return found;
}

interface BlockRow {
  /** From 1. */
  place: number;
  numbers: string;
  counts: string;
}

async function readBlocks(
  sql: Sql,
  { version, kind }: IndexPart,
  terms: readonly Term[],
): Promise<BlockRow[]> {
  if (terms.length === 0) return [];
  const ranges = rangesOf(terms);
  return sql.all<BlockRow>(
    `SELECT asked.place::integer AS place, held.numbers::text AS numbers, held.counts::text AS counts
     FROM ${ranges.text} WITH ORDINALITY AS asked(low, high, place) CROSS JOIN LATERAL (
       SELECT numbers, counts FROM search_postings WHERE project = :project AND version = ? AND kind = ?
         AND word >= asked.low AND word <= asked.high OFFSET 0
     ) AS held`,
    ...ranges.values,
    ...[version, kind],
  );
}

async function readPhrase(
  sql: Sql,
  part: IndexPart,
  phrase: Term,
  weights: readonly number[],
): Promise<[Term, Posting[]]> {
  const found = textsWithPhrase(part, phrase);
  // A match may begin within another one; the words of the index are letters and digits only.
  const pattern = `(?= ${phrase.words.join(" ")}${phrase.isPrefix ? "" : " "})`;
  const times = fields.map(
    (_, field) => `regexp_count(split_part(words, E'\\n', ${field + 1}), asked.pattern)`,
  );
  const rows = await sql.all<{ number: number; times: string }>(
    `SELECT number, ARRAY[${times.join(", ")}]::text AS times
     FROM (SELECT ?::text AS pattern) AS asked CROSS JOIN ${found.text}`,
    pattern,
    ...found.values,
  );
  const added = rows.map(({ times }) =>
    parseNumbers(times).reduce((sum, count, field) => sum + count * (weights[field] ?? 0), 0),
  );
  return [phrase, [{ numbers: rows.map(({ number }) => number), added }]];
}

/** What of the postings is about some documents, given by number with their places. */
export function frequenciesIn(
  postings: Postings,
  places: ReadonlyMap<number, number>,
): Map<Term, TermFrequencies> {
  return new Map(
    [...postings].map(([term, blocks]) => [
      term,
      { holders: countHolders(term, blocks), frequencies: addUp(blocks, places) },
    ]),
  );
}

/** A number stands in several blocks only where several words begin alike, and else beside itself. */
function countHolders({ isPrefix }: Term, blocks: readonly Posting[]): number {
  if (isPrefix) return new Set(blocks.flatMap(({ numbers }) => numbers)).size;
  let holders = 0;
  for (const { numbers } of blocks)
    for (const [place, number] of numbers.entries()) if (number !== numbers[place - 1]) holders += 1;
  return holders;
}

function addUp(blocks: readonly Posting[], places: ReadonlyMap<number, number>): Float64Array {
  const frequencies = new Float64Array(places.size).fill(Number.NaN);
  for (const { numbers, added } of blocks)
    for (const [index, number] of numbers.entries()) {
      const place = places.get(number);
      if (place === undefined) continue;
      const before = frequencies[place] ?? 0;
      frequencies[place] = (Number.isNaN(before) ? 0 : before) + (added[index] ?? 0);
    }
  return frequencies;
}
