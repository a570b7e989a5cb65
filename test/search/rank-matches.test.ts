import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RankedQuery, rankMatches } from "../../src/search/rank-matches.js";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../src/store/store.js";

const fields = { title: "", tags: "", files: "", errors: "", labels: [] };
const weights = { title: 2, body: 1, tags: 2, files: 1, errors: 1 };
const near = { count: 1, within: 10, share: 0.5, upTo: 3 };

let store: Store;

beforeEach(async () => {
  store = await openSqliteStore({ directory: "", isInMemory: true });
});

afterEach(() => store.close());

const put = (id: string, body: string, time: number, over: object = {}) =>
  store.lexical.put({ kind: "note", id, source: "1", ...fields, body, time, ...over });

const rank = (words: string[], over: Partial<RankedQuery> = {}) =>
  rankMatches(store.lexical, {
    words,
    kind: "note",
    sources: ["1"],
    labelGroups: [],
    weights,
    limit: 10,
    ...over,
  });

const idsOf = (hits: { id: string }[]) => hits.map(({ id }) => id);

/** Rare words score only where most documents do not hold them. */
async function putOthers(): Promise<void> {
  for (let index = 0; index < 8; index += 1) await put(`other${index}`, "other words", 100 + index * 50);
}

describe("ranked matches", () => {
  it("show the newer of two equally good ones first", async () => {
    await put("newer", "same words", 2);
    await put("older", "same words", 1);
    expect(idsOf(await rank(["same"]))).toEqual(["newer", "older"]);
  });

  it("show the newest of many ties, however few are wanted", async () => {
    for (let index = 0; index < 15; index += 1) await put(`note${index}`, "same words", index);
    expect(idsOf(await rank(["same"], { limit: 2 }))).toEqual(["note14", "note13"]);
  });

  it("gain a share of the score of their neighbours in time", async () => {
    await put("best", "deploy key staging", 1);
    await put("beside", "deploy at night", 5);
    await put("later", "deploy at noon", 50);
    await put("none", "nothing of the sort", 51);
    await putOthers();
    const words = ["deploy", "key", "staging"];
    expect(idsOf(await rank(words))).toEqual(["best", "later", "beside"]);
    expect(idsOf(await rank(words, { neighbours: near }))).toEqual(["best", "beside", "later"]);
  });

  it("gain from neighbours outside the scope, which are not shown", async () => {
    await put("best", "deploy key staging", 1, { labels: ["type:fix"] });
    await put("beside", "deploy at night", 5);
    await putOthers();
    const labelGroups = [["type:context"]];
    await put("shown", "deploy at noon", 6, { labels: ["type:context"] });
    const [alone] = await rank(["deploy", "key"], { labelGroups });
    const [gained, ...others] = await rank(["deploy", "key"], {
      labelGroups,
      neighbours: { ...near, count: 20 },
    });
    expect(others).toEqual([]);
    expect(gained?.id).toBe("shown");
    expect(gained?.score).toBeGreaterThan(alone?.score ?? 0);
  });

  it("gain less where they are long", async () => {
    const long = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
    await put("before", "deploy key", 1);
    await put("long", `deploy ${long}`, 2);
    await putOthers();
    const gained = async (upTo: number) => {
      const hits = await rank(["deploy", "key"], { neighbours: { ...near, upTo } });
      return hits.find(({ id }) => id === "long")?.score ?? 0;
    };
    const none = await gained(0);
    const whole = await gained(401);
    expect(whole).toBeGreaterThan(none);
    expect(await gained(4010)).toBeCloseTo(whole, 9);
    expect((await gained(200.5)) - none).toBeCloseTo((whole - none) / 2, 9);
  });

  it("are filled up from the scope where the best matches are outside it", async () => {
    for (let index = 0; index < 250; index += 1) await put(`other${index}`, "word word", 1, { source: "2" });
    await put("mine", "one word among many others here", 1);
    expect(idsOf(await rank(["word"], { neighbours: near, limit: 1 }))).toEqual(["mine"]);
  });
});
