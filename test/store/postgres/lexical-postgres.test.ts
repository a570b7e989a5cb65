import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DocumentKey,
  keyOfHit,
  type LexicalIndex,
  type LexicalMatch,
  type LexicalQuery,
  type SearchDocument,
} from "../../../src/store/lexical-index.js";
import {
  createPostgresIndex,
  emptyPostgresIndex,
} from "../../../src/store/postgres/lexical/create-postgres-index.js";
import { lexicalPostgres } from "../../../src/store/postgres/lexical/lexical-postgres.js";
import { tokensOf } from "../../../src/store/postgres/lexical/words/tokens-of.js";
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

const words =
  "run running runs rune store stored a ab abc null user_store foo-bar 漢字 ไทย हिन्दी ÉTÉ été x1 errors error".split(
    " ",
  );
const word = fc.constantFrom(...words);
const text = fc.array(word, { maxLength: 10 }).map((some) => some.join(" "));
const label = fc.constantFrom("type:fix", "type:FEAT", "a_b", "100%");
const labels = fc.uniqueArray(label, { maxLength: 2 });
const key: fc.Arbitrary<DocumentKey> = fc.record({
  kind: fc.constantFrom("note", "task"),
  id: fc.constantFrom("one", "two", "three", "four", "five", "six", 'with "quotes" \\ and, {more}'),
  source: fc.constantFrom("", "1"),
});
const document: fc.Arbitrary<SearchDocument> = fc
  .tuple(
    key,
    fc.record({ title: text, body: text, tags: text, files: text, errors: text }),
    fc.record({ dates: text, kept: text }, { requiredKeys: [] }),
    fc.record({ labels, time: fc.integer({ min: 0, max: 5 }) }),
  )
  .map(([known, fields, more, rest]) => ({ ...known, ...fields, ...more, ...rest }));
const change = fc.oneof(
  { weight: 4, arbitrary: document.map((one) => (index: LexicalIndex) => index.put(one)) },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(document, { selector: ({ kind, source, id }) => `${kind} ${source} ${id}` })
      .map((some) => (index: LexicalIndex) => index.putAll(some)),
  },
  { weight: 1, arbitrary: key.map((known) => (index: LexicalIndex) => index.remove(known)) },
);
const asked = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom("ru*", "stor*", "user_sto*", "ab*", "*", "", "--", "unknown") },
  { weight: 1, arbitrary: fc.tuple(word, word).map((pair) => pair.join(" ")) },
);
const askedWords = fc.array(asked, { maxLength: 5 });
/** Not phrases: where a document holds the words of one apart, FTS5 scores other words of what is required as if it held it. */
const oneWord = asked.filter((text) => tokensOf(text).length === 1);
const requiring = (term: fc.Arbitrary<string>) =>
  fc.record({
    groups: fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    boosted: askedWords,
  });
const requiringEither = fc
  .tuple(requiring(oneWord), fc.array(oneWord, { minLength: 1, maxLength: 2 }))
  .map(([required, alternative]) => ({ ...required, alternative }));
const weight = fc.constantFrom(0, 0.3, 1, 2.5);
const query: fc.Arbitrary<LexicalQuery> = fc
  .tuple(
    fc.record({
      kind: fc.constantFrom("note", "task"),
      words: askedWords,
      sources: fc.subarray(["", "1"]),
      labelGroups: fc.oneof(
        fc.constant([]),
        fc.array(fc.uniqueArray(label, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
      ),
      weights: fc.record({
        ...{ title: weight, body: weight, tags: weight, files: weight, errors: weight, dates: weight },
      }),
      limit: fc.constantFrom(-1, -1, 0, 1, 3, 100),
    }),
    fc.record(
      {
        since: fc.integer({ min: 0, max: 5 }),
        // Everything is near: numbers differ, as here each kind has its own.
        context: fc.record({ first: fc.constantFrom(-1, 0, 2), distance: fc.constant(1_000) }),
        order: fc.constantFrom("newest", "any"),
      },
      { requiredKeys: [] },
    ),
    fc.option(fc.oneof(requiring(asked), requiringEither), { nil: undefined }),
  )
  .map(([asking, more, required]) => ({ ...asking, ...more, required }) as LexicalQuery);

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
    await createPostgresIndex(sql);
    ours = lexicalPostgres(sql, version);
    const engine = await loadSqliteEngine();
    sqlite = new SqliteConnection(engine.open(":memory:"), { path: ":memory:", busyTimeoutMs: 0 });
    await createFts5Index(sqlite.sql);
    fts5 = lexicalFts5(sqlite.sql);
  }, 60_000);

  afterAll(async () => {
    await sql.close();
    await sqlite.close();
    await server.stop();
  });

  async function empty(): Promise<void> {
    await emptyPostgresIndex(sql, version);
    await dropFts5Index(sqlite.sql);
    await createFts5Index(sqlite.sql);
  }

  /** Scores are equal up to rounding; equal ones may come in any order, and be cut anywhere. */
  async function expectSameMatches(question: LexicalQuery): Promise<void> {
    const [own, expected] = [await ours.search(question), await fts5.search(question)];
    if (question.order === undefined) expected.sort((one, other) => other.score - one.score);
    expect(own).toHaveLength(expected.length);
    for (const [place, { score }] of own.entries()) expectClose(score, expected[place]?.score);
    const all = new Map(
      (await fts5.search({ ...question, limit: -1 })).map((match) => [keyOfHit(match), match]),
    );
    for (const match of own) {
      const same = all.get(keyOfHit(match));
      expect(withoutNumber(match)).toEqual(withoutNumber(same));
      expectClose(match.score, same?.score);
    }
    if (question.order === "newest") expect(own.map(keyOfHit)).toEqual(expected.map(keyOfHit));
  }

  it("finds and scores as FTS5 does, whatever is indexed, replaced, removed and asked", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 30, size: "max" }),
        fc.array(query, { minLength: 1, maxLength: 12, size: "max" }),
        async (changes, questions) => {
          await empty();
          for (const make of changes) for (const index of [ours, fts5]) await make(index);
          for (const question of questions) {
            await expectSameMatches(question);
            for (const ask of [
              (index: LexicalIndex) => index.countHolding(question.kind, question.words, 3),
              (index: LexicalIndex) => index.estimateDocuments(question.kind),
              (index: LexicalIndex) => index.hasAllowed(question),
              async (index: LexicalIndex) =>
                new Set((await index.readKept(question.kind, ["one", "two", "none"])).keys()),
              async (index: LexicalIndex) =>
                new Set((await index.keepAllowed(question, ["one", "two"])).map((hit) => keyOfHit(hit))),
            ])
              expect(await ask(ours)).toEqual(await ask(fts5));
          }
          await ours.verify();
        },
      ),
      { numRuns: 40, interruptAfterTimeLimit: 230_000 },
    );
  }, 240_000);

  describe("with more documents than a row takes", () => {
    const ids = Array.from({ length: 700 }, (_, index) => `task-${index}`);
    const made = (id: string, index: number): SearchDocument => ({
      ...{ kind: "task", id, source: "", tags: "", files: "", errors: "", time: index },
      title: index % 3 === 0 ? "every third" : "other",
      body: `common words ${index % 7 === 0 ? "seventh " : ""}own${index}`.repeat(1 + (index % 2)),
      labels: [`half:${index % 2}`],
    });
    const questions = [["common"], ["every", "seventh"], ["common", "own3*"], ["third other"]].flatMap(
      (asking) =>
        [undefined, "newest" as const].flatMap((order) =>
          [10, 300, -1].map((limit): LexicalQuery => {
            const weights = { title: 2, body: 1, tags: 1, files: 1, errors: 1 };
            const scope = {
              kind: "task" as const,
              sources: [""],
              labelGroups: limit === 10 ? [["half:1"]] : [],
            };
            return { ...scope, words: asking, weights, limit, ...(order && { order }) };
          }),
        ),
    );

    const expectSame = async () => {
      for (const question of questions) await expectSameMatches(question);
      for (const limit of [0, 1, 63, 64, 99, 500]) {
        const [own, expected] = await Promise.all(
          [ours, fts5].map((index) =>
            index.estimateHolding("task", ["common", "seventh", "third", "none"], limit),
          ),
        );
        expect(own).toEqual(expected);
      }
      await ours.verify();
    };

    it("finds the same after putting many at once, replacing some and removing others", async () => {
      await empty();
      const documents = ids.map(made);
      for (const index of [ours, fts5]) {
        await index.putAll(documents.slice(0, 600));
        for (const one of documents.slice(600)) await index.put(one);
      }
      await expectSame();
      for (const index of [ours, fts5]) {
        await index.putAll(
          documents.filter(({ time }) => time % 5 === 0).map((one) => ({ ...one, tags: "again" })),
        );
        for (const one of documents.slice(100, 180)) await index.remove(one);
      }
      await expectSame();
    }, 60_000);

    it("takes words out whose last document is removed", async () => {
      await empty();
      await ours.put({ ...made("a", 0), body: "secretword here" });
      await ours.remove({ kind: "task", id: "a", source: "" });
      expect(
        await sql.all("SELECT 1 FROM search_postings WHERE project = :project AND version = ?", version),
      ).toEqual([]);
      expect(
        await sql.all("SELECT 1 FROM search_words WHERE project = :project AND version = ?", version),
      ).toEqual([]);
    });
  });

  const one: SearchDocument = {
    ...{ kind: "task", id: "one", source: "", tags: "", files: "", errors: "", labels: [], time: 1 },
    ...{ title: "shared title", body: "body", kept: 'kept "words" \\ and {more}' },
  };
  const asking: LexicalQuery = {
    ...{ kind: "task", words: ["shared"], sources: [""], labelGroups: [], limit: -1 },
    weights: { title: 1, body: 1, tags: 1, files: 1, errors: 1 },
  };

  it("leaves the index of another version and of another project alone", async () => {
    await empty();
    const other = await openProjectSql(url, 2);
    const indexes = [ours, lexicalPostgres(sql, version + 1), lexicalPostgres(other, version)];
    for (const [place, index] of indexes.entries()) await index.put({ ...one, body: `body${place}` });
    await ours.put({ ...one, id: "two" });
    await indexes[1]?.remove(one);
    await indexes[1]?.put({ ...one, title: "shared shared" });
    const found = await Promise.all(indexes.map((index) => index.search(asking)));
    expect(found.map((matches) => matches.map(({ id }) => id).sort())).toEqual([
      ["one", "two"],
      ["one"],
      ["one"],
    ]);
    expect(await indexes[2]?.countHolding("task", ["body0", "body2", "shared"], 9)).toEqual([0, 1, 1]);
    await emptyPostgresIndex(sql, version);
    expect(await Promise.all(indexes.map((index) => index.estimateDocuments("task")))).toEqual([0, 1, 1]);
    for (const index of indexes) await index.verify();
    await emptyPostgresIndex(sql, version + 1);
    await emptyPostgresIndex(other, version);
    await other.close();
  });

  it("asks for all that a search needs at once, and puts without waiting", async () => {
    await empty();
    const tripsOf = async (work: () => Promise<unknown>) => {
      const before = sql.sent.trips;
      await work();
      return sql.sent.trips - before;
    };
    const many = Array.from({ length: 400 }, (_, index) => ({ ...one, id: `${index}` }));
    expect(await tripsOf(() => ours.putAll(many))).toBe(1);
    expect(await tripsOf(() => ours.put(one))).toBe(1);
    expect(await tripsOf(() => ours.remove(one))).toBe(1);
    expect(
      await tripsOf(() => ours.search({ ...asking, words: ["shared", "title", "sha*", "shared title"] })),
    ).toBe(1);
    expect(await tripsOf(() => ours.search({ ...asking, order: "newest", limit: 10 }))).toBe(1);
    expect(await tripsOf(() => ours.countHolding("task", ["shared", "sha*", "shared title"], 10))).toBe(1);
  });

  it("keeps words to be read back as they were", async () => {
    await empty();
    await ours.put(one);
    await ours.put({ ...one, id: "without", kept: "" });
    expect(await ours.readKept("task", ["one", "without", "none"])).toEqual(new Map([["one", one.kept]]));
  });

  it.each(["search_postings", "search_words", "search_documents", "search_counts"])(
    "notices that rows of %s are gone",
    async (table) => {
      await empty();
      await ours.put(one);
      await sql.run(`DELETE FROM ${table} WHERE project = :project AND version = ?`, version);
      await expect(ours.verify()).rejects.toMatchObject({ code: "index-damaged" });
    },
  );
});

function expectClose(score: number, expected = Number.NaN): void {
  expect(Math.abs(score - expected)).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
}

function withoutNumber(match: LexicalMatch | undefined) {
  const { id, source, time, isAllowed, length } = match ?? {};
  return { id, source, time, isAllowed, length };
}
