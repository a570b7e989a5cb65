import { copyFileSync, existsSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import type { Notice } from "../../../src/memory/notice.js";
import { openMemory } from "../../../src/memory/open-memory.js";
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
  it.each([
    [
      "something else",
      (path: string) => writeFileSync(path, "not a database at all, but long enough for one"),
    ],
    ["an older copy", (path: string, older: string) => copyFileSync(older, path)],
  ])("is given up with a warning when its name leads to %s", async (what, make) => {
    const at = project();
    await (await withTask(at, "first")).close();
    copyFileSync(at.database, `${at.database}.older`);
    const memory = await withTask(at, "second");
    make(`${at.database}.new`, `${at.database}.older`);
    renameSync(`${at.database}.new`, at.database);
    if (what === "an older copy") expect(await descriptions(memory)).toEqual(["first"]);
    else await expect(memory.tasks.list()).rejects.toMatchObject({ code: "store-damaged" });
    expect(at.notices).toMatchObject([{ kind: "database-lost" }]);
  });

  it.each([
    ["file", ["", "-wal", "-shm"]],
    ["log", ["-wal", "-shm"]],
  ])("is written again when its %s was removed", async (_what, suffixes) => {
    const at = project();
    const memory = await withTask(at, "first");
    for (const suffix of suffixes) rmSync(at.database + suffix);
    await memory.tasks.init({ description: "second" });
    await memory.close();
    expect(at.notices).toMatchObject([{ kind: "database-restored" }]);
    const later = await at.open();
    expect(await descriptions(later)).toEqual(["first", "second"]);
    expect((await later.checkHealth()).isHealthy).toBe(true);
  });

  it("is written again at the end, however late its removal is noticed", async () => {
    const at = project();
    const memory = await withTask(at, "first");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(at.database + suffix);
    await memory.close();
    expect(await descriptions(await at.open())).toEqual(["first"]);
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
    expect(at.notices).toEqual([]);
  });
});
