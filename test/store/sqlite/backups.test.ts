import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SearchDocument } from "../../../src/store/lexical-index.js";
import { openSqliteStore, sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import type { Store } from "../../../src/store/store.js";
import { scratchFolder } from "../../support/scratch.js";

async function open(directory: string): Promise<Store> {
  const store = await openSqliteStore({ directory });
  onTestFinished(() => store.close());
  return store;
}

function backupsIn(directory: string): string[] {
  return readdirSync(join(directory, "backups"))
    .filter((name) => name.endsWith(".db"))
    .sort();
}

const on = (day: string) => new Date(`${day}T10:00:00Z`);

async function record(store: Store, count: number): Promise<void> {
  await store.transaction(async (tx) => {
    for (let left = count; left > 0; left -= 1)
      await tx.credits.recordBrief({ created: "2026-01-01T00:00:00.000Z", isHoldout: false, records: [] });
  });
}

describe("backups", () => {
  it("are made once on a quiet day, readable by the owner alone, and the newest three are kept", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    for (const day of ["01", "02", "02", "03", "04", "05", "06"]) {
      await record(store, 1);
      await store.backUpIfDue(on(`2026-01-${day}`));
    }
    expect(backupsIn(directory)).toEqual([
      "memory-000004-2026-01-04-5.db",
      "memory-000005-2026-01-05-6.db",
      "memory-000006-2026-01-06-7.db",
    ]);
    expect(statSync(join(directory, "backups", "memory-000006-2026-01-06-7.db")).mode & 0o777).toBe(0o600);
  });

  it("are made on a busy day as records grow", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    await record(store, 10);
    await store.backUpIfDue(on("2026-01-01"));
    for (let round = 0; round < 3; round += 1) {
      await record(store, 60);
      await store.backUpIfDue(on("2026-01-02"));
    }
    expect(backupsIn(directory)).toEqual([
      "memory-000001-2026-01-01-10.db",
      "memory-000002-2026-01-02-70.db",
      "memory-000003-2026-01-02-190.db",
    ]);
  });

  it("follow one another by number, so that a clock in the future delays none", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    for (const day of ["2031-01-01", "2026-01-01", "2026-01-02"]) {
      await record(store, 1);
      await store.backUpIfDue(on(day));
    }
    expect((await store.describe()).backups[0]).toMatch(/memory-000003-2026-01-02-3\.db$/);
  });

  it("are not made of an empty database when there is a filled one", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    await record(store, 5);
    await store.backUpIfDue(on("2026-01-01"));
    const database = (await loadSqliteEngine()).open(sqlitePath(directory));
    database.exec("DELETE FROM briefs");
    database.close();
    await store.backUpIfDue(on("2026-01-02"));
    expect(backupsIn(directory)).toEqual(["memory-000001-2026-01-01-5.db"]);
  });

  it("of the version before are known and outlasted", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    await store.backUpIfDue(on("2026-01-02"));
    for (const day of ["2025-12-30", "2025-12-31"])
      writeFileSync(join(directory, "backups", `memory-${day}.db`), "");
    expect((await store.describe()).backups.map((path) => basename(path))).toEqual([
      "memory-000001-2026-01-02-0.db",
      "memory-2025-12-31.db",
      "memory-2025-12-30.db",
    ]);
  });

  it("of a large database are left to a process that nobody waits for", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    const isMade = async (isAwaited: boolean) => {
      const before = backupsIn(directory).at(-1);
      await record(store, 200);
      await store.backUpIfDue(on("2026-01-01"), { isAwaited });
      return backupsIn(directory).at(-1) !== before;
    };
    await store.backUpIfDue(on("2026-01-01"));
    expect(await isMade(true)).toBe(true);
    const database = (await loadSqliteEngine()).open(sqlitePath(directory));
    database.exec("INSERT INTO kept_words VALUES (1, hex(zeroblob(10000000)))");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    expect([await isMade(true), await isMade(false)]).toEqual([false, true]);
  });

  it("that several find due at the same time are made once", async () => {
    const directory = scratchFolder();
    const stores = [await open(directory), await open(directory), await open(directory)];
    for (const day of ["01", "02", "03"]) {
      for (const store of stores) await record(store, 1);
      await Promise.all(stores.map((store) => store.backUpIfDue(on(`2026-01-${day}`))));
    }
    expect(backupsIn(directory).map((name) => name.slice(0, 24))).toEqual([
      "memory-000001-2026-01-01",
      "memory-000002-2026-01-02",
      "memory-000003-2026-01-03",
    ]);
    expect(existsSync(join(directory, "backups", "begun.tmp"))).toBe(false);
  });

  it("are made by one of several processes, and one that was cut short is tried again after an hour", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    await record(store, 1);
    await store.backUpIfDue(on("2026-01-01"));
    await record(store, 1);
    const begun = join(directory, "backups", "begun.tmp");
    for (const minutes of [-61, -59, 0, 59, 61]) {
      writeFileSync(begun, "half a copy");
      const time = Date.now() / 1000 + minutes * 60;
      utimesSync(begun, time, time);
      const isTaken = Math.abs(minutes) < 60;
      await store.backUpIfDue(on(`2026-01-0${isTaken ? 2 : 3 + Number(minutes > 0)}`));
      expect([minutes, existsSync(begun)]).toEqual([minutes, isTaken]);
    }
    expect(backupsIn(directory)).toEqual([
      "memory-000001-2026-01-01-1.db",
      "memory-000002-2026-01-03-2.db",
      "memory-000003-2026-01-04-2.db",
    ]);
  });

  it("merge the parts of the search index that single writes leave behind, unless somebody else writes", async () => {
    const directory = scratchFolder();
    const store = await open(directory);
    for (let number = 0; number < 60; number += 1) await store.lexical.put(note(number));
    const engine = await loadSqliteEngine();
    const other = engine.open(sqlitePath(directory));
    onTestFinished(() => other.close());
    const segments = () => other.prepare("SELECT DISTINCT segid FROM search_text_note_idx").all().length;
    const found = () => store.lexical.countHolding("note", ["part", "number7", "number"], 100);
    const before = await found();
    expect(segments()).toBeGreaterThan(4);
    await record(store, 1);
    other.exec("BEGIN IMMEDIATE");
    await store.backUpIfDue(on("2026-01-01"));
    other.exec("ROLLBACK");
    expect(segments()).toBeGreaterThan(4);
    await store.backUpIfDue(on("2026-01-02"));
    expect([segments(), await found()]).toEqual([1, before]);
    await store.lexical.verify();
  });
});

function note(number: number): SearchDocument {
  const text = { title: `number${number}`, body: "a part of many", tags: "", files: "", errors: "" };
  return { kind: "note", id: `mem-${number}`, source: "1", labels: [], time: number, ...text };
}
