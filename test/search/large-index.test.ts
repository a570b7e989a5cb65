import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchRecords } from "../../src/search/search-records.js";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../src/store/store.js";

const records = 6_000;
/** Words by how many of the records hold them. */
const holding = { everywhere: 5_500, frequent: 2_500, errtimeout42: 300, common: 250, scarce: 3, once: 1 };

let store: Store;

beforeAll(async () => {
  store = await openSqliteStore({ directory: "", isInMemory: true });
  await store.transaction(async ({ lexical }) => {
    for (let number = 0; number < records; number += 1) {
      // Each word has records of its own, spread over all.
      const words = Object.entries(holding).flatMap(([word, count], place) =>
        (number * 7 + place * 1_001) % records < count ? [word] : [],
      );
      await lexical.put({
        kind: "learning",
        id: `record-${number}`,
        source: "",
        title: words.join(" "),
        body: `filler${number % 40}`,
        tags: "",
        files: "",
        errors: "",
        labels: [`half:${number % 2}`],
        time: number,
      });
    }
  });
});

afterAll(() => store.close());

async function find(text: string, limit = 10, labels: string[] = []): Promise<string[]> {
  const hits = await searchRecords(store.lexical, {
    text,
    kind: "learning",
    sources: [""],
    labelGroups: labels.length === 0 ? [] : [labels],
    limit,
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
  ])("goes on with %s where the rarest find too few", async (_, question, word) => {
    const found = await find(question);
    expect(found).toHaveLength(10);
    const others = await holders(word);
    expect(found.slice(1).every((id) => others.has(id))).toBe(true);
  });

  it("never loses an error code beside rarer words", async () => {
    const found = await find("scarce once errTimeout42 common", 400);
    const named = await holders("errTimeout42");
    expect(found.filter((id) => named.has(id))).toHaveLength(holding.errtimeout42);
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
