import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import type { Notice } from "../../../src/memory/notice.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { scratchRepository } from "../../support/scratch.js";

interface Project {
  root: string;
  database: string;
  notices: Notice[];
  open(): Promise<Memory>;
}

function project(): Project {
  const root = scratchRepository();
  const notices: Notice[] = [];
  return {
    root,
    notices,
    database: join(root, ".ralph", "memory.db"),
    async open() {
      const memory = await openMemory({
        root,
        environment: { RALPH_HOME: join(root, ".home") },
        onNotice: (notice) => void notices.push(notice),
      });
      onTestFinished(() => memory.close().catch(() => undefined));
      return memory;
    },
  };
}

const descriptions = async (memory: Memory) =>
  (await memory.tasks.list()).map(({ description }) => description).sort();

async function withTask(at: Project, description: string): Promise<Memory> {
  const memory = await at.open();
  await memory.tasks.init({ description });
  return memory;
}

describe("a database whose file changes while it is in use", () => {
  it("is written again when its name leads to something else, which is kept", async () => {
    const at = project();
    const memory = await withTask(at, "first");
    writeFileSync(`${at.database}.new`, "not a database at all, but long enough to be read as one");
    renameSync(`${at.database}.new`, at.database);
    await memory.tasks.init({ description: "second" });
    expect(await descriptions(memory)).toEqual(["first", "second"]);
    await memory.close();
    expect(at.notices).toMatchObject([{ kind: "database-rescued", rescue: { kind: "put-back" } }]);
    expect(readFileSync(`${at.database}.replaced-1`, "utf8")).toContain("not a database");
    expect(await descriptions(await at.open())).toEqual(["first", "second"]);
  });

  it("is not mixed with the log of a database of another version, which is kept with it", async () => {
    const at = project();
    await (await withTask(at, "first")).close();
    const engine = await loadSqliteEngine();
    copyFileSync(at.database, `${at.database}.other`);
    const other = engine.open(`${at.database}.other`);
    other.exec("UPDATE tasks SET description = 'in the log of the other'; PRAGMA user_version = 11000");
    const memory = await withTask(at, "second");
    for (const suffix of ["", "-wal"]) {
      copyFileSync(`${at.database}.other${suffix}`, `${at.database}.new`);
      renameSync(`${at.database}.new`, `${at.database}${suffix}`);
    }
    other.close();
    await memory.tasks.init({ description: "third" });
    await memory.close();
    expect(at.notices).toMatchObject([{ rescue: { kind: "put-back" } }]);
    const later = await at.open();
    expect(await descriptions(later)).toEqual(["first", "second", "third"]);
    expect((await later.checkHealth()).isHealthy).toBe(true);
    const kept = engine.open(`${at.database}.replaced-1`);
    expect(kept.prepare("SELECT description FROM tasks").all()).toEqual([
      { description: "in the log of the other" },
    ]);
    kept.close();
  });

  it("gives what it holds to an older copy that took its place", async () => {
    const at = project();
    await (await withTask(at, "first")).close();
    copyFileSync(at.database, `${at.database}.older`);
    const memory = await withTask(at, "second");
    await memory.tasks.start("task-001");
    renameSync(`${at.database}.older`, at.database);
    await memory.tasks.init({ description: "third" });
    await memory.close();
    expect(at.notices).toMatchObject([{ kind: "database-rescued", rescue: { kind: "merged" } }]);
    const later = await at.open();
    expect(await descriptions(later)).toEqual(["first", "second", "third"]);
    expect((await later.tasks.list()).find(({ id }) => id === "task-001")?.total_attempts).toBe(1);
    expect((await later.checkHealth()).isHealthy).toBe(true);
  });

  it("is kept under another name when an unrelated database took its place", async () => {
    const at = project();
    const other = project();
    await (await withTask(other, "somebody else's")).close();
    const memory = await withTask(at, "ours");
    copyFileSync(other.database, `${at.database}.other`);
    renameSync(`${at.database}.other`, at.database);
    await expect(memory.tasks.init({ description: "next" })).rejects.toMatchObject({
      code: "file-unusable",
      hint: expect.stringContaining("memory.db.rescued-1"),
    });
    expect(await descriptions(await at.open())).toEqual(["somebody else's"]);
    rmSync(`${at.database}-wal`, { force: true });
    rmSync(`${at.database}-shm`, { force: true });
    renameSync(`${at.database}.rescued-1`, at.database);
    expect(await descriptions(await at.open())).toEqual(["ours"]);
  });

  it("is kept under another name while somebody writes to an older copy that took its place", async () => {
    const at = project();
    await (await withTask(at, "first")).close();
    copyFileSync(at.database, `${at.database}.older`);
    const memory = await withTask(at, "second");
    for (const suffix of ["-wal", "-shm"]) rmSync(at.database + suffix);
    renameSync(`${at.database}.older`, at.database);
    const writer = (await loadSqliteEngine()).open(at.database);
    writer.exec("BEGIN IMMEDIATE");
    await expect(memory.tasks.list()).rejects.toMatchObject({
      code: "store-busy",
      hint: expect.stringMatching(/memory\.db\.rescued-1; "ralph doctor --repair" adds it/),
    });
    writer.exec("ROLLBACK");
    writer.close();
    expect(await descriptions(memory)).toEqual(["first"]);
    const { checks } = await memory.checkHealth({ repair: true });
    expect(await descriptions(memory)).toEqual(["first", "second"]);
    expect(checks.filter(({ part }) => part === "database").map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^1 task read from the old database; the old file is kept as /),
      expect.stringMatching(/^the records in .*memory\.db\.added-1 were added$/),
    ]);
  });

  it("keeps what was written last, however late its removal is noticed", async () => {
    const at = project();
    const memory = await withTask(at, "first");
    for (const name of readdirSync(join(at.root, ".ralph")))
      if (name.startsWith("memory.db")) rmSync(join(at.root, ".ralph", name));
    await memory.close();
    expect(existsSync(at.database)).toBe(true);
    expect(await descriptions(await at.open())).toEqual(["first"]);
  });

  it("keeps what is in a log that was removed", async () => {
    const at = project();
    const memory = await withTask(at, "first");
    rmSync(`${at.database}-wal`);
    rmSync(`${at.database}-shm`);
    await memory.tasks.init({ description: "second" });
    await memory.close();
    expect(at.notices).toMatchObject([{ kind: "database-rescued", rescue: { kind: "log-saved" } }]);
    expect(await descriptions(await at.open())).toEqual(["first", "second"]);
  });

  it("is reported as damaged when it is cut, and its log is left for the repair", async () => {
    const at = project();
    await (await withTask(at, "first")).close();
    const memory = await withTask(at, "second");
    truncateSync(at.database, 8192);
    await expect(memory.tasks.init({ description: "third" })).rejects.toMatchObject({
      code: "store-damaged",
    });
    expect(existsSync(`${at.database}-wal`)).toBe(true);
  });

  it("is exchanged without a word if nothing was written to it", async () => {
    const at = project();
    await (await withTask(at, "first")).close();
    copyFileSync(at.database, `${at.database}.older`);
    const reader = await at.open();
    expect(await descriptions(reader)).toEqual(["first"]);
    renameSync(`${at.database}.older`, at.database);
    expect(await descriptions(reader)).toEqual(["first"]);
    expect(at.notices).toMatchObject([{ rescue: { kind: "adopted" } }]);
  });
});
