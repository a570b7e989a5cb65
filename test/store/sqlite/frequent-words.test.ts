import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { largeIndexFrom, type SearchDocument } from "../../../src/store/lexical-index.js";
import { openSqliteStore } from "../../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../../src/store/store.js";
import { scratchFolder } from "../../support/scratch.js";

const limit = 800;
const many = largeIndexFrom + 100;
let store: Store;

beforeEach(async () => {
  store = await openSqliteStore({ directory: scratchFolder() });
  onTestFinished(() => store.close());
});

async function index(kind: SearchDocument["kind"], from: number, to: number): Promise<void> {
  const fields = { title: "", tags: "", files: "", errors: "", source: "", labels: [], time: 0 };
  const documents = Array.from({ length: to - from }, (_, place) => {
    const number = from + place;
    const body = `migration ${number % 2 === 0 ? "queue" : "cache"} word${number}`;
    return { ...fields, kind, id: `${kind}-${number}`, body };
  });
  await store.transaction((tx) => tx.lexical.putAll(documents));
}

const estimate = (...words: string[]) => store.lexical.estimateHolding("task", words, limit);

describe("words that many records hold", () => {
  it("are counted with a backup, and looked up by their stem; others are counted when they are asked for", async () => {
    await index("task", 0, many);
    await store.backUpIfDue(new Date());
    await index("task", many, many + 50);
    expect(await estimate("migrations", "word7", "queue", "absent")).toEqual([many, 1, many / 2, 0]);
  });

  it("are forgotten with the index that they were counted in", async () => {
    await index("task", 0, many);
    await store.backUpIfDue(new Date());
    await store.transaction((tx) => tx.resetDerived());
    expect(await estimate("migration", "queue")).toEqual([0, 0]);
  });

  it("of a small index are counted when they are asked for", async () => {
    await index("task", 0, 200);
    await store.backUpIfDue(new Date());
    await index("task", 200, 210);
    expect(await estimate("migration", "queue")).toEqual([210, 105]);
  });

  it("of one kind of record say nothing about another", async () => {
    await index("note", 0, many);
    await index("task", 0, 300);
    await store.backUpIfDue(new Date());
    expect(await estimate("migration")).toEqual([300]);
  });
});
