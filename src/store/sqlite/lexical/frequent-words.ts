import { largeIndexFrom, searchKinds } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
import { tableOf } from "./fts5-query.js";

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
