import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { tokensOf } from "../../../src/store/postgres/lexical/words/tokens-of.js";
import type { Sql } from "../../../src/store/sql.js";
import { createFts5Index } from "../../../src/store/sqlite/lexical/lexical-fts5.js";
import { SqliteConnection } from "../../../src/store/sqlite/sqlite-connection.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";

let sql: Sql;

beforeAll(async () => {
  const engine = await loadSqliteEngine();
  const connection = new SqliteConnection(engine.open(":memory:"), { path: ":memory:", busyTimeoutMs: 0 });
  sql = connection.sql;
  await createFts5Index(sql);
  await sql.run("CREATE VIRTUAL TABLE kept USING fts5vocab(search_text_note, instance)");
  return () => connection.close();
});

async function keptByFts5(text: string): Promise<string[]> {
  await sql.run("DELETE FROM search_text_note WHERE rowid = 1");
  await sql.run("INSERT INTO search_text_note (rowid, body) VALUES (1, ?)", text);
  const rows = await sql.all<{ term: string }>("SELECT term FROM kept ORDER BY offset");
  return rows.map(({ term }) => term);
}

async function expectSame(text: string): Promise<void> {
  const [own, kept] = [tokensOf(text), await keptByFts5(text)];
  const at = own.findIndex((token, place) => token !== kept[place]);
  expect({ at, token: own[at], count: own.length }).toEqual({ at: -1, token: undefined, count: kept.length });
}

describe("the words of a text are those that FTS5 keeps", () => {
  it("for every letter, within a word and at its start", async () => {
    // Letters of the planes between and after these are all alike.
    for (const [first, last] of [
      [1, 0x1ffff],
      [0xe0000, 0xe0fff],
      [0x10f000, 0x10ffff],
    ] as const) {
      const codes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const letters = codes.map((code) => String.fromCodePoint(code));
      for (let start = 0; start < letters.length; start += 0x1000) {
        const some = letters.slice(start, start + 0x1000);
        await expectSame(some.map((letter) => `a${letter}b ${letter}ings`).join(" "));
      }
    }
  }, 60_000);

  it("for any text", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        ..."ational tional izer ousness biliti ies sses eed ing y ll é Å ß ς й ñ ü ǖ अं ไทย 漢字 __ - \ud800".split(
          " ",
        ),
      ),
      fc.stringMatching(/^[a-zA-Z0-9]{1,70}$/),
    );
    // A longer run of letters would be shortened.
    const run = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join("").replaceAll("\u0000", " "));
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 20, size: "max" }), (runs) => expectSame(runs.join(" "))),
      { numRuns: 300 },
    );
  });
});

it("a word that is too long for an index is shortened, and differs from others that begin alike", () => {
  const long = "x".repeat(3_000);
  const [one = "", other = ""] = tokensOf(`${long}a ${long}b`);
  expect(one).not.toBe(other);
  expect(Buffer.byteLength(one)).toBeLessThan(2_000);
  expect(tokensOf(`${long}a`)).toEqual([one]);
});
