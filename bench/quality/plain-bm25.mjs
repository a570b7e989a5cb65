import { loadSqlite } from "./load-sqlite.mjs";

const stopWords = new Set(
  "a an and are as at be but by for from had has have he her his how i if in into is it its me my of on or our she so that the their them then there these they this to was we were what when where which who whom why will with you your do does did about can could would should been being than also just not no".split(
    " ",
  ),
);

/** The baseline: SQLite's full-text search over the bare text, stemmed, without stop words. */
export async function openPlainBm25(documents) {
  const database = new (await loadSqlite())(":memory:");
  database.exec("CREATE VIRTUAL TABLE d USING fts5(id UNINDEXED, text, tokenize='porter unicode61')");
  const insert = database.prepare("INSERT INTO d VALUES (?, ?)");
  database.exec("BEGIN");
  for (const { id, text } of documents) insert.run(id, text);
  database.exec("COMMIT");
  const select = database.prepare("SELECT id FROM d WHERE d MATCH ? ORDER BY bm25(d) LIMIT ?");
  return {
    search: async (text, limit) =>
      select
        .all(
          wordsOf(text)
            .map((word) => `"${word}"`)
            .join(" OR "),
          limit,
        )
        .map(({ id }) => id),
    close: async () => database.close(),
  };
}

export function wordsOf(text) {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
  const telling = words.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : words;
}
