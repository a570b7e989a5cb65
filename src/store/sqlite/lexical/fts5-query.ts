import {
  type LexicalQuery,
  largeIndexFrom,
  type SearchKind,
  scoredBeside,
  searchKinds,
} from "../../lexical-index.js";
import type { Sql } from "../../sql.js";

export const fields = ["title", "body", "tags", "files", "errors", "dates"] as const;

/** One table per kind: how rare a word is depends on the kind, and a search reads only its own kind. */
export function tableOf(kind: SearchKind): string {
  return `search_text_${kind}`;
}

/** The weights of the fields, as FTS5 expects them. */
export function rankingOf({ weights }: LexicalQuery): string {
  return `bm25(${fields.map((field) => weights[field] ?? 0).join(", ")})`;
}

/** Any of the words; required ones appear twice, and so score twice, unless nothing is scored. */
export function matchOf({ words, required = { groups: [] }, order }: LexicalQuery): string {
  const { groups, alternative = [] } = required;
  if (groups.length === 0) return anyOf(words);
  const eachGroup = groups.map((group) => `(${anyOf(group)})`).join(" AND ");
  const together = alternative.map((word) => anyOf([word])).join(" AND ");
  const needed = together === "" ? eachGroup : `(${eachGroup}) OR (${together})`;
  if (order !== undefined) return needed;
  return `(${needed}) AND (${anyOf(scoredBeside(words, required))})`;
}

export function anyOf(words: readonly string[]): string {
  return words
    .map((word) => (isPrefix(word) ? `"${quoted(word.slice(0, -1))}" *` : `"${quoted(word)}"`))
    .join(" OR ");
}

/** Whether a word stands for all that begin with it. */
export function isPrefix(word: string): boolean {
  return word.endsWith("*");
}

function quoted(word: string): string {
  return word.replaceAll('"', '""');
}

export const frequentWordsTable = `CREATE TABLE IF NOT EXISTS frequent_words (
  kind TEXT NOT NULL,
  word TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (kind, word)
) WITHOUT ROWID`;

/** Rarer words are counted as soon as they are looked up. */
const frequentFrom = 100;

/**
 * Counts the words that many records hold. Most words of a question are among them, and each search would have to read its way
 * through their records. The counts are those of the last backup, which is made again before the index has grown by much, or of the last time that much was indexed.
 */
export async function countFrequentWords(sql: Sql): Promise<void> {
  await sql.run("DELETE FROM frequent_words");
  for (const kind of searchKinds) {
    const table = tableOf(kind);
    const size = await sql.get<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${table}_docsize LIMIT ?)`,
      largeIndexFrom,
    );
    if ((size?.count ?? 0) < largeIndexFrom) continue;
    await sql.run(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, ${table}, row)`);
    await sql.run(
      "INSERT INTO frequent_words (kind, word, records) SELECT ?, term, doc FROM temp.vocabulary WHERE doc >= ?",
      kind,
      frequentFrom,
    );
    await sql.run("DROP TABLE temp.vocabulary");
    await sql.run("INSERT INTO frequent_words (kind, word, records) VALUES (?, '', ?)", kind, largeIndexFrom);
  }
}

/** Whether an index of a kind was large then, for which it has a row without a word. */
export const wasLarge = "SELECT 1 FROM frequent_words WHERE kind = ? AND word = ''";
