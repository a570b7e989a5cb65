import { asIndexed } from "../../../words/stem.js";
import { type LexicalIndex, largeIndexFrom, type SearchKind } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
import { anyOf, isPrefix, tableOf, wasLarge } from "./fts5-query.js";

type Counts = Pick<LexicalIndex, "estimateDocuments" | "countHolding" | "estimateHolding">;

/** How many records there are, and how many hold a word. */
export function fts5Counts(sql: Sql): Counts {
  /** Kinds that were large when they were counted: an index seldom shrinks. */
  const large = new Set<SearchKind>();

  const countHolding: Counts["countHolding"] = async (kind, words, limit) => {
    if (words.length === 0) return [];
    const table = tableOf(kind);
    const rows = await sql.all<{ count: number }>(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH words.value LIMIT ?)) AS count
       FROM json_each(?) AS words ORDER BY words.key`,
      limit,
      queriesFor(words),
    );
    return rows.map(({ count }) => count);
  };

  /** Frequent words were counted before, and the others of a large index are in few records; undefined where neither tells. */
  const lookUp = async (
    kind: SearchKind,
    words: readonly string[],
    limit: number,
  ): Promise<(number | undefined)[]> => {
    if (words.length === 0) return [];
    const table = tableOf(kind);
    const stored = words.map(asIndexed);
    const rows = await sql.all<{ word: string; count: number | null }>(
      `SELECT words.key AS word, coalesce((SELECT records FROM frequent_words WHERE kind = ? AND word = words.key),
         CASE WHEN EXISTS (${wasLarge}) THEN
           nullif((SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH words.value LIMIT ?)), ?) END) AS count
       FROM json_each(?) AS words`,
      kind,
      kind,
      limit + 1,
      limit + 1,
      JSON.stringify(Object.fromEntries(words.map((word, place) => [stored[place], anyOf([word])]))),
    );
    const counts = new Map(rows.map(({ word, count }) => [word, count ?? undefined]));
    return stored.map((word) => counts.get(word));
  };

  const estimateByReading = async (
    kind: SearchKind,
    words: readonly string[],
    limit: number,
  ): Promise<number[]> => {
    if (words.length === 0) return [];
    const table = tableOf(kind);
    const holding = `FROM ${table} WHERE ${table} MATCH value`;
    // To pass over records is quicker than to count them; most words of a question are in more than the limit.
    const rows = await sql.all<{ last: number | null; count: number | null; least: number; most: number }>(
      `WITH looked AS MATERIALIZED (SELECT key, value, (SELECT rowid ${holding} LIMIT 1 OFFSET ?) AS last FROM json_each(?))
       SELECT last, CASE WHEN last IS NULL THEN (SELECT count(*) ${holding}) END AS count,
         (SELECT min(id) FROM ${table}_docsize) AS least, (SELECT max(id) FROM ${table}_docsize) AS most
       FROM looked ORDER BY key`,
      limit,
      queriesFor(words),
    );
    return rows.map(({ last, count, least, most }) =>
      last === null ? (count ?? 0) : Math.round(((limit + 1) * (most - least + 1)) / (last - least + 1)),
    );
  };

  return {
    async estimateDocuments(kind) {
      const sizes = `${tableOf(kind)}_docsize`;
      // Alone, min and max are each read from the end of the table; in one SELECT they would scan it.
      const row = await sql.get<{ counted: number; numbers: number | null }>(
        `SELECT CASE WHEN EXISTS (${wasLarge}) THEN ? ELSE (SELECT count(*) FROM (SELECT 1 FROM ${sizes} LIMIT ?)) END AS counted,
                (SELECT max(id) FROM ${sizes}) - (SELECT min(id) FROM ${sizes}) + 1 AS numbers`,
        kind,
        largeIndexFrom,
        large.has(kind) ? 0 : largeIndexFrom,
      );
      const { counted, numbers } = row ?? { counted: 0, numbers: 0 };
      if (counted >= largeIndexFrom) large.add(kind);
      // Kinds share numbers, so this is an upper bound.
      return large.has(kind) ? (numbers ?? 0) : counted;
    },

    countHolding,

    async estimateHolding(kind, words, limit) {
      const known = new Map<string, number>();
      const add = (asked: readonly string[], counts: readonly (number | undefined)[]) => {
        for (const [place, word] of asked.entries()) {
          const count = counts[place];
          if (count !== undefined) known.set(word, count);
        }
      };
      const whole = words.filter((word) => !isPrefix(word));
      add(whole, await lookUp(kind, whole, limit));
      const others = words.filter((word) => !known.has(word));
      add(others, await estimateByReading(kind, others, limit));
      return words.map((word) => known.get(word) ?? 0);
    },
  };
}

/** A query for each of the words, as one value. */
function queriesFor(words: readonly string[]): string {
  return JSON.stringify(words.map((word) => anyOf([word])));
}
