import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openMemory } from "../../../src/memory/open-memory.js";
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

async function index(
  kind: SearchDocument["kind"],
  from: number,
  to: number,
  into: Store = store,
): Promise<void> {
  const fields = { title: "", tags: "", files: "", errors: "", source: "", labels: [], time: 0 };
  const documents = Array.from({ length: to - from }, (_, place) => {
    const number = from + place;
    const body = `migration ${number % 2 === 0 ? "queue" : "cache"} word${number}`;
    return { ...fields, kind, id: `${kind}-${number}`, body };
  });
  await into.transaction((tx) => tx.lexical.putAll(documents));
}

const estimate = (...words: string[]) => store.lexical.estimateHolding("task", words, limit);

describe("words that many records hold", () => {
  it("are counted with a backup, and looked up by their stem; others are counted when they are asked for", async () => {
    await index("task", 0, many);
    await store.backUpIfDue(new Date());
    await index("task", many, many + 50);
    expect(await estimate("migrations", "word7", "queue", "absent")).toEqual([many, 1, many / 2, 0]);
  });

  it("are counted after much was indexed at once", async () => {
    const root = scratchFolder();
    mkdirSync(join(root, ".agent"));
    const notes = Array.from(
      { length: many },
      (_, number) => `### mem-${1700000000 + number}-0000\n> queue number ${number}\n`,
    );
    writeFileSync(join(root, ".agent", "memories.md"), `# Memories\n\n## Patterns\n\n${notes.join("\n")}`);
    const memory = await openMemory({ root, environment: { RALPH_HOME: join(root, "home") } });
    await memory.notes.list();
    await memory.close();
    const found = await openSqliteStore({ directory: join(root, ".ralph") });
    onTestFinished(() => found.close());
    await index("note", 0, 50, found);
    expect(await found.lexical.estimateHolding("note", ["queues", "number"], limit)).toEqual([many, many]);
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
