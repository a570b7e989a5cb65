import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  keyOfHit,
  type LexicalIndex,
  type LexicalQuery,
  type SearchDocument,
} from "../../../src/store/lexical-index.js";
import {
  emptyPostgresIndex,
  lexicalPostgres,
  searchTables,
} from "../../../src/store/postgres/lexical/lexical-postgres.js";
import {
  createFts5Index,
  dropFts5Index,
  lexicalFts5,
} from "../../../src/store/sqlite/lexical/lexical-fts5.js";
import { SqliteConnection } from "../../../src/store/sqlite/sqlite-connection.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import {
  lackOfPostgres,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { openProjectSql, type ProjectSql } from "../../support/postgres/project-sql.js";

const version = 7;
const weights = { title: 2.5, body: 1, tags: 2, files: 1.5, errors: 1 };

function made(id: string, over: Partial<SearchDocument> = {}): SearchDocument {
  const empty = { title: "", body: "", tags: "", files: "", errors: "", labels: [], time: 0 };
  return { kind: "task", id, source: "", ...empty, ...over };
}

function asking(words: string[], over: Partial<LexicalQuery> = {}): LexicalQuery {
  return { kind: "task", words, sources: [""], labelGroups: [], weights, limit: -1, ...over };
}

const word = fc.constantFrom(
  ..."run running runs rune store stored a ab abc null userstore 漢字 ÉTÉ été x1 errors error".split(" "),
);
const text = fc.array(word, { maxLength: 10 }).map((some) => some.join(" "));
const document = fc.record({
  ...{ title: text, body: text, tags: text, files: text, errors: text, kept: text },
  labels: fc.subarray(["type:fix", "a_b", "100%"]),
  time: fc.integer({ min: 0, max: 5 }),
});
const asked = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom("ru*", "stor*", "ab*", "*", "", "--", "unknown") },
);
const askedWords = fc.array(asked, { maxLength: 5 });
const required = fc.record({
  groups: fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  alternative: fc.option(fc.array(word, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  boosted: askedWords,
});
const query = fc
  .record(
    {
      words: askedWords,
      labelGroups: fc.array(fc.subarray(["type:FIX", "a_b", "100%"], { minLength: 1 }), { maxLength: 2 }),
      limit: fc.constantFrom(-1, 0, 1, 3, 100),
      since: fc.integer({ min: 0, max: 5 }),
      order: fc.constantFrom("newest" as const),
      required,
    },
    { requiredKeys: ["words", "limit"] },
  )
  .map(({ words, ...more }) => asking(words, more));

describe.skipIf(lackOfPostgres() !== undefined)("the search index on PostgreSQL", () => {
  let server: PostgresServer;
  let url: string;
  let sqlite: SqliteConnection;
  let sql: ProjectSql;
  let ours: LexicalIndex;
  let fts5: LexicalIndex;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.makeDatabase();
    sql = await openProjectSql(url, 1);
    for (const statement of searchTables) await sql.run(statement);
    const engine = await loadSqliteEngine();
    sqlite = new SqliteConnection(engine.open(":memory:"), { path: ":memory:", busyTimeoutMs: 0 });
    await createFts5Index(sqlite.sql);
  }, 60_000);

  afterAll(async () => {
    await sql.close();
    await sqlite.close();
    await server.stop();
  });

  const empty = async () => {
    await emptyPostgresIndex(sql, version);
    await dropFts5Index(sqlite.sql);
    await createFts5Index(sqlite.sql);
    ours = lexicalPostgres(sql, version);
    fts5 = lexicalFts5(sqlite.sql);
  };
  beforeEach(empty);

  /** Equal scores may come in any order, and be cut anywhere. */
  async function expectSameMatches(question: LexicalQuery): Promise<void> {
    const [own, expected, all] = [
      await ours.search(question),
      await fts5.search(question),
      await fts5.search({ ...question, limit: -1 }),
    ];
    const scores = new Map(all.map((match) => [keyOfHit(match), match.score]));
    expect(own).toHaveLength(expected.length);
    for (const match of own) expect(match.score).toBeCloseTo(scores.get(keyOfHit(match)) ?? Number.NaN, 9);
    if (question.order === "newest") expect(own.map(keyOfHit)).toEqual(expected.map(keyOfHit));
    else expect(own.map(({ score }) => score)).toEqual(own.map(({ score }) => score).sort((a, b) => b - a));
  }

  it("finds and scores as FTS5 does", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 20, size: "max" }),
        fc.array(query, { minLength: 1, maxLength: 8, size: "max" }),
        async (documents, questions) => {
          await empty();
          for (const index of [ours, fts5])
            await index.putAll(documents.map((each, place) => made(`task-${place}`, each)));
          for (const question of questions) {
            await expectSameMatches(question);
            for (const ask of [
              (index: LexicalIndex) => index.countHolding("task", question.words, 3),
              (index: LexicalIndex) => index.hasAllowed(question),
              (index: LexicalIndex) => index.readKept("task", ["task-0", "task-1", "none"]),
            ])
              expect(await ask(ours)).toEqual(await ask(fts5));
          }
        },
      ),
      { numRuns: 40, interruptAfterTimeLimit: 100_000 },
    );
  }, 120_000);

  it("finds the best of more matches than it scores, and counts the words of a large index", async () => {
    const documents = Array.from({ length: 3_000 }, (_, index) =>
      made(`task-${index}`, {
        title: index % 3 === 0 ? "every third" : "other",
        body: `common words ${index % 300 === 0 ? "rare " : ""}own${index}`.repeat(1 + (index % 4)),
      }),
    );
    for (const index of [ours, fts5]) await index.putAll(documents);
    for (const words of [
      ["common", "rare"],
      ["third", "rare"],
      ["every", "own77*"],
    ])
      await expectSameMatches(asking(words, { limit: 10 }));
    const [common = 0, third = 0, ...others] = await ours.estimateHolding(
      "task",
      ["common", "third", "rare", "none"],
      100,
    );
    expect([common, ...others]).toEqual([3_000, 10, 0]);
    expect(Math.abs(third - 1_000)).toBeLessThan(100);
  }, 60_000);

  it("finds words in a row for one that is split, within one field", async () => {
    await ours.put(made("row", { body: "the foo-bar there" }));
    await ours.put(made("apart", { body: "foo and bar", title: "foo", tags: "bar" }));
    expect((await ours.search(asking(["foo-bar"]))).map(({ id }) => id)).toEqual(["row"]);
  });

  it("leaves the index of another version and of another project alone", async () => {
    const other = await openProjectSql(url, 2);
    const indexes = [ours, lexicalPostgres(sql, version + 1), lexicalPostgres(other, version)];
    const one = made("one", { title: "shared title" });
    for (const [place, index] of indexes.entries()) await index.put({ ...one, body: `body${place}` });
    await ours.put({ ...one, id: "two" });
    await indexes[1]?.remove(one);
    await indexes[1]?.put({ ...one, title: "shared shared" });
    const found = await Promise.all(indexes.map((index) => index.search(asking(["shared"]))));
    expect(found.map((matches) => matches.map(({ id }) => id).sort())).toEqual([
      ["one", "two"],
      ["one"],
      ["one"],
    ]);
    expect(await indexes[2]?.countHolding("task", ["body0", "body2", "shared"], 9)).toEqual([0, 1, 1]);
    await emptyPostgresIndex(sql, version);
    expect(await Promise.all(indexes.map((index) => index.estimateDocuments("task")))).toEqual([0, 1, 1]);
    await other.close();
  });

  it("takes words and documents of any length", async () => {
    const long = "x".repeat(3_000);
    await ours.put(made("long", { body: `${long} ${"y ".repeat(30_000)}\0`, kept: 'a\0"\\ {b}\ud800' }));
    expect(await ours.search(asking([long, "y"]))).toHaveLength(1);
    expect((await ours.readKept("task", ["long"])).get("long")).toContain('"\\ {b}');
  });
});
