import { loadSqlite } from "../quality/load-sqlite.mjs";
import { wordsOf } from "../quality/plain-bm25.mjs";

const saturation = 1.2;
const leastWeight = 1e-6;

/** The baseline: plain full-text search, its score divided by the best that the words of the question could get. */
export async function openNormalisedBm25(documents, { questionLength, withFiles }) {
  const database = new (await loadSqlite())(":memory:");
  database.exec("CREATE VIRTUAL TABLE d USING fts5(id UNINDEXED, text, tokenize='porter unicode61')");
  const insert = database.prepare("INSERT INTO d VALUES (?, ?)");
  for (const { id, text, files } of documents)
    insert.run(id, withFiles ? `${text}\n${files.join("\n")}` : text);
  const select = database.prepare(
    "SELECT id, -bm25(d) AS score FROM d WHERE d MATCH ? ORDER BY score DESC LIMIT ?",
  );
  const count = database.prepare("SELECT count(*) AS count FROM d WHERE d MATCH ?");
  const weights = new Map();
  const weightOf = (word) => {
    if (!weights.has(word)) {
      const holding = count.get(`"${word}"`).count;
      const weight = Math.log((documents.length - holding + 0.5) / (holding + 0.5));
      weights.set(word, Math.max(leastWeight, weight) * (saturation + 1));
    }
    return weights.get(word);
  };
  return {
    async similar(text, limit) {
      const words = wordsOf(text.slice(0, questionLength));
      const best = words.reduce((sum, word) => sum + weightOf(word), 0);
      return select
        .all(words.map((word) => `"${word}"`).join(" OR "), limit)
        .map(({ id, score }) => ({ id, similarity: score / best }));
    },
    close: async () => database.close(),
  };
}
