import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseQuestion } from "../../src/search/question.js";
import { type RecordQuery, searchRecords } from "../../src/search/search-records.js";
import type { SearchDocument } from "../../src/store/lexical-index.js";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../src/store/store.js";

const records = 6_000;
/** Words by how many of the records hold them. */
const holding = {
  everywhere: 5_500,
  frequent: 2_500,
  build: 2_400,
  econnrefused7: 1_200,
  errtimeout42: 300,
  common: 250,
  webhook: 590,
  signature: 580,
  stalls: 570,
  investigate: 60,
  scarce: 3,
  once: 1,
};
const steps = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];
/** One record more, with words that are in many others, and a beginning that is in none. */
const sought = "webhook signature stalls build frequent everywhere quokkaburra".split(" ");
const titles = new Map<string, string[]>([["sought", sought]]);

let store: Store;

beforeAll(async () => {
  store = await openSqliteStore({ directory: "", isInMemory: true });
  await store.transaction(async ({ lexical }) => {
    for (let number = 0; number < records; number += 1) {
      // Each word is spread over all records in steps of its own.
      const words = Object.entries(holding).flatMap(([word, count], place) =>
        (number * (steps[place] ?? 1) + place * 1_001) % records < count ? [word] : [],
      );
      titles.set(`record-${number}`, words);
      await lexical.put(document(`record-${number}`, words.join(" "), number));
      if (number === 4_000) await lexical.put(document("sought", sought.join(" "), number));
    }
  });
});

function document(id: string, title: string, number: number): SearchDocument {
  const rest = { body: `filler${number % 40}`, tags: "", files: "", errors: "" };
  return { kind: "learning", id, source: "", title, ...rest, labels: [`half:${number % 2}`], time: number };
}

afterAll(() => store.close());

async function find(
  text: string,
  limit = 10,
  labels: string[] = [],
  how: Pick<RecordQuery, "enough"> = {},
): Promise<string[]> {
  const hits = await searchRecords(store.lexical, {
    question: parseQuestion(text),
    kind: "learning",
    sources: [""],
    labelGroups: labels.length === 0 ? [] : [labels],
    limit,
    ...how,
  });
  return hits.map(({ id }) => id);
}

async function holders(word: string): Promise<Set<string>> {
  return new Set(await find(word, -1));
}

describe("a search among thousands of records", () => {
  it("puts those with the rarest word first", async () => {
    const [best] = await find("once frequent common");
    expect(await holders("once")).toContain(best);
  });

  it.each([
    ["a word of hundreds", "once common", "common"],
    ["a frequent word", "once frequent", "frequent"],
    ["a word that nearly all hold", "once everywhere", "everywhere"],
  ])("goes on with %s where the rarest find too few", async (_, question, word) => {
    const found = await find(question);
    expect(found).toHaveLength(10);
    const others = await holders(word);
    expect(found.slice(1).every((id) => others.has(id))).toBe(true);
  });

  it("never loses an error code beside rarer words", async () => {
    const found = await find("scarce once errtimeout42 common", 600);
    const named = await holders("errtimeout42");
    expect(found.filter((id) => named.has(id))).toHaveLength(holding.errtimeout42);
  });

  it.each([
    ["an unrelated word is rarer", "investigate why the webhook signature stalls"],
    ["all its words are frequent", "build frequent everywhere econnrefused7"],
    ["some are rare and some are frequent", "common build webhook frequent stalls"],
    ["one is but a beginning beside frequent ones", "quokkab build frequent"],
  ])("finds what a search through all would put first, where %s", async (_, question) => {
    const asked = new Set(question.toLowerCase().split(" "));
    const shared = (ids: string[]) => titles.get(ids[0] ?? "")?.filter((word) => asked.has(word));
    expect(shared(await find(question))).toEqual(shared(await find(question, -1)));
  });

  it("ranks by an error code that many hold, wherever it is said", async () => {
    const named = await holders("econnrefused7");
    const rare = await holders("common");
    const both = [...named].filter((id) => rare.has(id));
    const found = await find("build frequent everywhere common econnrefused7");
    expect(both.length).toBeGreaterThan(10);
    expect(found.filter((id) => both.includes(id))).toHaveLength(10);
  });

  it("fills up with the newest only to what is enough", async () => {
    expect(await find("once everywhere", 10, [], { enough: 4 })).toHaveLength(4);
  });

  it("gives as many as are asked for, as far as there are", async () => {
    expect(await find("investigate common", 300)).toHaveLength(300);
    expect(await find("once everywhere", 3_000)).toHaveLength(3_000);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -2, 1.5])("refuses a limit of %s", async (limit) => {
    await expect(find("common", limit)).rejects.toMatchObject({ code: "wrong-use" });
  });

  it("finds nothing where labels allow nothing", async () => {
    expect(await find("frequent everywhere nowher", 10, ["half:3"])).toEqual([]);
  });

  it("finds as many where labels narrow it", async () => {
    expect(await find("once common", 10, ["half:1"])).toHaveLength(10);
  });

  it("finds all for whoever asks for all", async () => {
    const either = new Set([...(await holders("once")), ...(await holders("everywhere"))]);
    expect(new Set(await find("once everywhere", -1))).toEqual(either);
    expect(either.size).toBeGreaterThanOrEqual(holding.everywhere);
  });
});
