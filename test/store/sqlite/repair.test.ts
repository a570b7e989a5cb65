import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freeName } from "../../../src/store/sqlite/repair/repair-sqlite-store.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchFolder } from "../../support/scratch.js";

it("a name with a link, also to nowhere, or whose log has one, is not free", () => {
  const folder = scratchFolder();
  const path = join(folder, "memory.db");
  expect(freeName(path)).toBe(`${path}.damaged-1`);
  symlinkSync("nowhere", `${path}.damaged-1`);
  symlinkSync("elsewhere", `${path}.damaged-2-wal`);
  writeFileSync(`${path}.damaged-3`, "");
  expect(freeName(path)).toBe(`${path}.damaged-4`);
});

it.each([
  ["a name", "memory.db.damaged-1", false],
  ["the name of a log", "memory.db.damaged-1-wal", true],
])(
  "a repair writes what was damaged through no link that a repository brought: %s",
  async (_, name, isThere) => {
    const memory = await openScratchMemory();
    const { root } = memory.project;
    await memory.notes.add({ content: "a note" });
    await memory.close();
    const outside = join(scratchFolder(), "outside");
    if (isThere) writeFileSync(outside, "precious");
    const database = join(root, ".ralph/memory.db");
    writeFileSync(database, "rubbish".repeat(1000));
    writeFileSync(`${database}-wal`, "payload".repeat(100));
    symlinkSync(outside, join(root, ".ralph", name));
    const reopened = await openScratchMemory({ root });
    const { checks } = await reopened.checkHealth({ repair: true });
    expect(checks).toContainEqual(
      expect.objectContaining({
        status: "failed",
        detail: expect.stringContaining(`.ralph/${name} is not a`),
      }),
    );
    expect(existsSync(outside)).toBe(isThere);
    if (isThere) expect(readFileSync(outside, "utf8")).toBe("precious");
  },
);

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

async function databaseFindings(root: string, options: { repair?: boolean } = {}) {
  const memory = await openScratchMemory({ root, now });
  const { checks } = await memory.checkHealth(options);
  await memory.close();
  return checks.filter(({ part }) => part === "database");
}

const descriptions = async (root: string) => {
  const memory = await openScratchMemory({ root, now });
  return (await memory.tasks.list()).map(({ description }) => description);
};

/** Fills the page that holds a text with what no page holds. */
function damagePageWith(database: string, text: string): void {
  const bytes = readFileSync(database);
  const pageBytes = 4096;
  const page = Math.floor(bytes.indexOf(text) / pageBytes) * pageBytes;
  expect(page).toBeGreaterThan(0);
  writeFileSync(database, bytes.fill(0xff, page, page + pageBytes));
}

const detail = (pattern: RegExp) => expect.objectContaining({ detail: expect.stringMatching(pattern) });

describe("a repair", () => {
  it("finds a record that cannot be read, and takes it from the backup", async () => {
    const { root, database } = await filled();
    const bytes = readFileSync(database);
    const at = bytes.indexOf('{"command":"npm test"}');
    expect(at).toBeGreaterThan(0);
    bytes[at] = 0x7c;
    writeFileSync(database, bytes);
    expect(await databaseFindings(root)).toMatchObject([
      { status: "failed", detail: expect.stringContaining('Row 1 of actions has an unreadable "params"') },
    ]);
    const repaired = await databaseFindings(root, { repair: true });
    expect(repaired).toContainEqual(detail(/the damaged file is kept as /));
    expect(repaired).toContainEqual(detail(/^1 row taken from the backup of 2026-01-01$/));
    expect(await databaseFindings(root)).toMatchObject([{ status: "ok" }]);
    expect(await descriptions(root)).toEqual(["Feed the penguin", "Find the walrus in the cache"]);
  });

  it("reads what it can around damaged pages, and the rest from the backup", async () => {
    const { root, database } = await filled();
    damagePageWith(database, "walrus failed");
    const repaired = await databaseFindings(root, { repair: true });
    expect(repaired).toContainEqual(
      detail(/actions could not be read in full: .* after the backup of 2026-01-01/),
    );
    const memory = await openScratchMemory({ root, now });
    expect((await memory.tasks.history("task-001")).attempts[0]?.actions).toHaveLength(1);
    expect(await descriptions(root)).toEqual(["Feed the penguin", "Find the walrus in the cache"]);
  });

  it("names the tool for rows that are out of its reach", async () => {
    const { root, database } = await filled();
    damagePageWith(database, "CREATE TABLE attempts");
    const repaired = await databaseFindings(root, { repair: true });
    expect(repaired).toContainEqual(detail(/"sqlite3 .*memory\.db\.damaged-1 \.recover"/));
    expect(readFileSync(`${database}.damaged-1`).includes("Feed the penguin")).toBe(true);
    expect(await descriptions(root)).toEqual(["Find the walrus in the cache"]);
  });
});
