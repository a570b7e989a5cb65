import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import type { Notice } from "../../../src/memory/notice.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const note = (id: string, content: string) =>
  `### ${id}\n> ${content}\n<!-- tags: | created: 2026-01-20 -->\n`;
const conflict = `## Fixes\n\n<<<<<<< ours\n${note("mem-1", "Podman")}=======\n${note("mem-1", "Docker")}>>>>>>> theirs\n`;

/** A project with these notes, which each command opens anew. */
function projectWith(notes: string | Buffer) {
  const root = scratchRepository();
  const write = (text: string | Buffer) => writeFileSync(join(root, ".agent/memories.md"), text);
  mkdirSync(join(root, ".agent"));
  write(notes);
  const command = async (work: (memory: Memory) => Promise<unknown>): Promise<Notice[]> => {
    const told: Notice[] = [];
    const environment = { RALPH_HOME: join(root, ".home") };
    const memory = await openMemory({ root, environment, onNotice: (notice) => told.push(notice) });
    onTestFinished(() => memory.close());
    await work(memory);
    return told;
  };
  return { write, command };
}

describe("a merge conflict in the notes", () => {
  it("is told once by every command that reads them, until it is resolved", async () => {
    const { write, command } = projectWith(conflict);
    const told = { kind: "malformed-notes", problems: [{ line: 3, ids: ["mem-1"] }] };
    for (const read of [
      (memory: Memory) => memory.notes.list(),
      (memory: Memory) => memory.notes.list(),
      (memory: Memory) => memory.notes.search({ text: "podman" }),
      (memory: Memory) => memory.notes.prime(),
      (memory: Memory) => memory.notes.list().then(() => memory.notes.list()),
    ])
      expect(await command(read)).toMatchObject([told]);
    write(`## Fixes\n\n${note("mem-1", "Podman")}`);
    expect(await command((memory) => memory.notes.list())).toEqual([]);
    expect(await command((memory) => memory.notes.get("mem-1"))).toEqual([]);
  });

  it("is what is wrong with a note that it holds", async () => {
    const { command } = projectWith(conflict);
    await command(async ({ notes }) => {
      const inConflict = { code: "merge-conflict", message: expect.stringContaining("memories.md, line 3") };
      await expect(notes.get("mem-1")).rejects.toMatchObject(inConflict);
      await expect(notes.delete("mem-1")).rejects.toMatchObject({ code: "merge-conflict" });
      await expect(notes.get("mem-2")).rejects.toMatchObject({ code: "not-found" });
    });
  });
});

describe("notes in another encoding", () => {
  it("are refused by every reader, not taken for none", async () => {
    const text = Buffer.from(`\ufeff${note("mem-1", "Podman")}`, "utf16le");
    const { command } = projectWith(text);
    await command(async (memory) => {
      const refused = { code: "file-unusable", message: expect.stringContaining("is UTF-16 text") };
      await expect(memory.notes.list()).rejects.toMatchObject(refused);
      await expect(memory.notes.list()).rejects.toMatchObject(refused);
      const { checks } = await memory.checkHealth();
      expect(checks.filter(({ part }) => part === "notes")).toMatchObject([{ status: "failed" }]);
    });
  });

  it("are told with their line if only some bytes are not UTF-8", async () => {
    const { command } = projectWith(Buffer.from(note("mem-1", "Das Möbel"), "latin1"));
    expect(await command((memory) => memory.notes.list())).toMatchObject([
      { problems: [{ line: 2, message: expect.stringContaining("mem-1 is not UTF-8") }] },
    ]);
  });
});
