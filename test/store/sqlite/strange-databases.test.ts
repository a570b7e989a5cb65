import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteStore, sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { scratchFolder } from "../../support/scratch.js";

async function withDatabase(change: string): Promise<string> {
  const directory = scratchFolder();
  const store = await openSqliteStore({ directory });
  await store.deletedNotes.record("mem-1-aaaa", "2026-01-01");
  await store.close();
  const database = (await loadSqliteEngine()).open(sqlitePath(directory));
  database.exec(change);
  database.close();
  return directory;
}

describe("a database that somebody else changed", () => {
  it.each([
    [
      "a trigger",
      "CREATE TRIGGER t AFTER INSERT ON tasks BEGIN DELETE FROM tasks; END",
      'trigger that is not Ralph\'s, "t"',
    ],
    [
      "a view in place of a table",
      "DROP TABLE runs; CREATE VIEW runs AS SELECT * FROM tasks",
      'view that is not Ralph\'s, "runs"',
    ],
    [
      "another virtual table",
      "CREATE VIRTUAL TABLE v USING fts5(x)",
      'virtual table that is not Ralph\'s, "v"',
    ],
    ["a negative version", "PRAGMA user_version = -5", "no valid version"],
    ["a version without a schema", "PRAGMA user_version = 7", "damaged"],
    ["an older version than its tables", "PRAGMA user_version = 3000", "damaged"],
  ])("is refused in one line: %s", async (_what, change, message) => {
    const directory = await withDatabase(change);
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: "store-damaged",
      message: expect.stringContaining(message),
      hint: expect.stringContaining("doctor --repair"),
    });
  });

  it("tells of a missing table instead of failing like a bug", async () => {
    const directory = await withDatabase("DROP TABLE runs");
    const store = await openSqliteStore({ directory });
    onTestFinished(() => store.close());
    await expect(store.runs.findLast()).rejects.toMatchObject({ code: "store-damaged" });
  });
});

describe("something else in the database's place", () => {
  it.each([
    ["a directory", (path: string) => void mkdirSync(path)],
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ])("is refused without opening it: %s", async (kind, make) => {
    const directory = scratchFolder();
    make(sqlitePath(directory));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: "file-unusable",
      message: expect.stringContaining(kind),
    });
  });

  it("is refused when the folder is a file", async () => {
    const directory = join(scratchFolder(), ".ralph");
    writeFileSync(directory, "");
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "file-unusable" });
  });
});

describe("the log of a database that is gone", () => {
  async function withLog(): Promise<string> {
    const directory = scratchFolder();
    const store = await openSqliteStore({ directory });
    onTestFinished(() => store.close());
    await store.deletedNotes.record("mem-1-aaaa", "2026-01-01");
    return directory;
  }

  it.each([
    ["emptied", (path: string) => truncateSync(path, 0)],
    ["removed", (path: string) => rmSync(path)],
  ])("is not thrown away with a new database: %s", async (_how, damage) => {
    const directory = await withLog();
    damage(sqlitePath(directory));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: "store-damaged",
      message: expect.stringContaining("its log is there"),
    });
  });
});
