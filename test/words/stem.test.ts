import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { decode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../src/store/sql.js";
import { createFts5Index } from "../../src/store/sqlite/lexical/lexical-fts5.js";
import { SqliteConnection } from "../../src/store/sqlite/sqlite-connection.js";
import { loadSqliteEngine } from "../../src/store/sqlite/sqlite-driver.js";
import { asIndexed, looseStem, stem } from "../../src/words/stem.js";
import { wordsOf } from "../../src/words/words.js";

let sql: Sql;

beforeAll(async () => {
  const engine = await loadSqliteEngine();
  const connection = new SqliteConnection(engine.open(":memory:"), { path: ":memory:", busyTimeoutMs: 0 });
  sql = connection.sql;
  await createFts5Index(sql);
  await sql.run("CREATE VIRTUAL TABLE kept USING fts5vocab(search_text_note, instance)");
  return () => connection.close();
});

/** What the index makes of words, each of which is one word to it. */
async function keptByIndex(words: readonly string[]): Promise<string[]> {
  await sql.run("DELETE FROM search_text_note WHERE rowid = 1");
  await sql.run("INSERT INTO search_text_note (rowid, body) VALUES (1, ?)", words.join(" "));
  const rows = await sql.all<{ term: string }>("SELECT term FROM kept ORDER BY offset");
  expect(rows).toHaveLength(words.length);
  return rows.map(({ term }) => term);
}

async function expectAsIndexed(words: readonly string[], made: (word: string) => string): Promise<void> {
  const kept = await keptByIndex(words);
  const different = words.flatMap((word, at) =>
    made(word) === kept[at] ? [] : `${word}: ${kept[at]} in the index, not ${made(word)}`,
  );
  expect(different.slice(0, 20)).toEqual([]);
}

/** The words and parts of words that a tokenizer of a language model knows: most of them English, many of other languages. */
function wordsOfTokenizer(): string[] {
  const tokens = Array.from({ length: 199_000 }, (_, token) => decode([token]));
  return tokens.flatMap((token) => /^ ?([A-Za-z]+)$/.exec(token)?.[1]?.toLowerCase() ?? []);
}

/** The words of this project, with identifiers in parts and as a whole. */
function wordsOfProject(): string[] {
  const root = join(import.meta.dirname, "../..");
  return ["src", "test", "docs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|md)$/.test(name))
      .flatMap((name) => wordsOf(readFileSync(join(root, folder, name), "utf8"))),
  );
}

const endings =
  "s es ies sses ed eed ing y e ll at bl iz ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism " +
  "iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment " +
  "ent ion sion tion ou ism ate iti ous ive ize";

const madeUpWord = fc
  .tuple(
    fc.array(fc.constantFrom(..."abcdeilmnorstuyxz019ßøłжи"), { maxLength: 6 }),
    fc.array(fc.constantFrom(...endings.split(" ")), { minLength: 1, maxLength: 3 }),
  )
  .map(([root, ending]) => [...root, ...ending].join(""));

describe("the stem of a word is the one that the index keeps", () => {
  it("for the words of a tokenizer", async () => {
    const words = [...new Set(wordsOfTokenizer())];
    expect(words.length).toBeGreaterThan(60_000);
    await expectAsIndexed(words, stem);
  });

  it("for the words of this project", async () => {
    const words = [...new Set(wordsOfProject())].filter((word) => /^[a-z0-9]+$/.test(word));
    expect(words.length).toBeGreaterThan(5_000);
    await expectAsIndexed(words, stem);
  });

  it("for words made up of endings, with digits and letters of other alphabets", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(madeUpWord, { minLength: 1, maxLength: 500, size: "max" }), (words) =>
        expectAsIndexed(words, stem),
      ),
      { numRuns: 40 },
    );
  });

  it("for words of any length", async () => {
    const letters = `a${"bcdefghij".repeat(8)}`;
    const lengths = Array.from({ length: 70 }, (_, length) => length + 1);
    await expectAsIndexed(
      lengths.flatMap((length) => [letters.slice(0, length), `${letters.slice(0, length)}ings`]),
      stem,
    );
  });

  it("without the accents of Latin letters, and with those of others", async () => {
    // The tables of FTS5 do not have this one.
    const unknown = "ǡ";
    const letters = Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(code))
      .filter((letter) => /(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(letter))
      .map((letter) => letter.normalize("NFKC").toLowerCase())
      .filter((letter) => /^\p{L}+$/u.test(letter) && letter !== unknown);
    await expectAsIndexed(
      letters.map((letter) => `b${letter}b`),
      asIndexed,
    );
  });
});

describe("the stem for comparing texts", () => {
  it.each([
    ["optimise", "optimizing"],
    ["organisation", "organizations"],
    ["serialiser", "serializers"],
    ["analysed", "analyze"],
  ])("is the same for %j and %j", (british, american) => {
    expect(looseStem(british)).toBe(looseStem(american));
    expect(stem(british)).not.toBe(stem(american));
  });

  it("keeps words together that are spelled with an s everywhere", () => {
    expect(looseStem("revise")).toBe(looseStem("revision"));
    expect(looseStem("raising")).toBe(looseStem("raise"));
  });
});
