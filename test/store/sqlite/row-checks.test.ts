import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { sessionOf } from "../../../src/memory/session-of.js";
import { type CheckedRow, rowCheck } from "../../../src/store/repositories/checks/row-check.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";

const now = { value: "2026-01-01T10:00:00.000Z" };

/** A project with a backup of its first task and its log, and then a second task. */
async function filled(): Promise<{ root: string; database: string }> {
  const memory = await openScratchMemory({ now });
  const { root } = memory.project;
  await memory.tasks.init({ description: "Find the walrus in the cache" });
  await memory.tasks.start("task-001");
  await memory.tasks.log(
    "task-001",
    entries({ tool: "Bash", params: { command: "npm test" }, output: "walrus failed" }),
  );
  await memory.close();
  const later = await openScratchMemory({ root, now });
  await later.tasks.init({ description: "Feed the penguin" });
  await later.close();
  return { root, database: join(root, ".ralph", "memory.db") };
}

/** Changes text where it is stored, as a failing disk does: SQLite notices nothing. */
function flip(database: string, text: string): void {
  const bytes = readFileSync(database);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(database, bytes);
}

async function databaseFindings(root: string, options: { repair?: boolean } = {}) {
  const memory = await openScratchMemory({ root, now });
  const { checks } = await memory.checkHealth(options);
  await memory.close();
  return checks.filter(({ part }) => part === "database");
}

const descriptions = async (root: string) => {
  const memory: Memory = await openScratchMemory({ root, now });
  return (await memory.tasks.list()).map(({ description }) => description);
};

describe("damage that SQLite does not see", () => {
  it("is found by the check value of the record, named, and mended from a backup", async () => {
    const { root, database } = await filled();
    flip(database, "Find the walrus");
    expect(await databaseFindings(root)).toMatchObject([
      { status: "failed", detail: expect.stringContaining("task-001 does not match its check value") },
    ]);
    const repaired = await databaseFindings(root, { repair: true });
    expect(repaired).toMatchObject([
      { status: "repaired", detail: expect.stringContaining("kept as") },
      {
        status: "repaired",
        detail: expect.stringContaining("1 task taken from backups, the newest of 2026-01-01"),
      },
    ]);
    expect(await databaseFindings(root)).toMatchObject([{ status: "ok" }]);
    expect(await descriptions(root)).toEqual(["Feed the penguin", "Find the walrus in the cache"]);
  });

  it("keeps a record as it is if no backup has it, and says so", async () => {
    const { root, database } = await filled();
    flip(database, "Feed the penguin");
    const repaired = await databaseFindings(root, { repair: true });
    expect(repaired.at(-1)).toMatchObject({
      status: "warning",
      detail: expect.stringContaining("kept as they are: task-002"),
    });
    expect(await descriptions(root)).toEqual(["Geed the penguin", "Find the walrus in the cache"]);
    expect(await databaseFindings(root)).toMatchObject([{ status: "ok" }]);
  });

  it("stops backups, which would push out the intact ones", async () => {
    const { root, database } = await filled();
    flip(database, "walrus failed");
    const memory = await openScratchMemory({ root, now: { value: "2026-01-09T10:00:00.000Z" } });
    await memory.tasks.init({ description: "another day" });
    await memory.close();
    const findings = await databaseFindings(root);
    expect(findings).toMatchObject([{ detail: expect.stringContaining("action 1 does not match") }]);
    const engine = await loadSqliteEngine();
    const backups = readdirSync(join(root, ".ralph", "backups")).filter((name) => name.endsWith(".db"));
    expect(backups).toHaveLength(1);
    const backup = engine.open(join(root, ".ralph", "backups", backups[0] ?? ""), { readOnly: true });
    expect(backup.prepare("SELECT output FROM actions").get()).toEqual({ output: "walrus failed" });
    backup.close();
  });

  it("is not suspected of rows that an earlier version wrote, nor of any that Ralph changes", async () => {
    const { root, database } = await filled();
    const raw = (await loadSqliteEngine()).open(database);
    raw.exec(
      "UPDATE tasks SET description = 'changed before there were check values', row_check = NULL WHERE number = 2",
    );
    raw.close();
    const memory = await openScratchMemory({ root, now });
    await memory.tasks.complete("task-001", { outcome: "failure", reason: "the walrus is gone" });
    await memory.tasks.start("task-002");
    await memory.close();
    expect(await databaseFindings(root)).toMatchObject([{ status: "ok" }]);
  });
});

describe("damage to the list of tables", () => {
  it("is told by the repair, because the rows may be sound", async () => {
    const { root, database } = await filled();
    const bytes = readFileSync(database);
    const pageBytes = 4096;
    const at = bytes.indexOf("CREATE TABLE attempts");
    const page = Math.floor(at / pageBytes) * pageBytes;
    expect(page).toBeGreaterThan(0);
    writeFileSync(database, bytes.fill(0xff, page, page + pageBytes));
    const repaired = await databaseFindings(root, { repair: true });
    expect(repaired).toContainEqual(
      expect.objectContaining({
        status: "warning",
        detail: expect.stringMatching(/"sqlite3 .*memory\.db\.damaged-1 \.recover" can read them/),
      }),
    );
    expect(readFileSync(`${database}.damaged-1`).includes("Feed the penguin")).toBe(true);
    expect(await descriptions(root)).toEqual(["Find the walrus in the cache"]);
  });
});

describe("many actions that are recorded at once", () => {
  it("have the check values, keys and order that they would have had one by one", async () => {
    const memory = await openScratchMemory({ now });
    await memory.tasks.init({ description: "Find the walrus" });
    await memory.tasks.start("task-001");
    await memory.tasks.log("task-001", entries({ tool: "Bash", params: { command: "ls" } }));
    const action = {
      timestamp: now.value,
      iteration: 1,
      tool: "Bash",
      params: { command: "é" },
      success: true,
    };
    await sessionOf(memory).write(({ store }) =>
      store.transaction((tx) =>
        tx.actions.recordAll(1, [
          { action: { ...action, output: "one" }, key: "a" },
          { action: { ...action, output: "again" }, key: "a" },
          { action: { ...action, success: false, error: "\u{1f600}" }, key: undefined },
        ]),
      ),
    );
    const { root } = memory.project;
    await memory.close();
    const database = (await loadSqliteEngine()).open(join(root, ".ralph", "memory.db"));
    const rows = database.prepare("SELECT * FROM actions ORDER BY action_key").all() as CheckedRow[];
    database.close();
    expect(rows.map(({ action_key: key, output }) => [key, output])).toEqual([
      [1, null],
      [2, "one"],
      [3, null],
    ]);
    for (const row of rows) expect(row.row_check).toBe(rowCheck(row));
  });
});
