import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Notice } from "../../../src/memory/notice.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const hour = 3_600_000;

/** Two notes, of which the second is not in the copy that an editor has open. */
async function withOldCopy(content: string) {
  const root = scratchRepository();
  const path = join(root, ".agent/memories.md");
  const told: Notice[] = [];
  const now = { value: Date.parse("2026-03-01T10:00:00Z") };
  const memory = await openMemory({
    root,
    environment: { RALPH_HOME: join(root, ".home") },
    clock: () => new Date(now.value),
    onNotice: (notice) => told.push(notice),
  });
  onTestFinished(() => memory.close());
  await memory.notes.add({ content: "The queue is in Redis", type: "context" });
  const old = readFileSync(path);
  const { note } = await memory.notes.add({ content, type: "fix", tags: ["tz"] });
  const save = (bytes: string | Buffer) => writeFileSync(path, bytes);
  const log = () => readFileSync(join(root, ".ralph/ralph.log"), "utf8");
  return { memory, note, path, old, save, told, log, now };
}

describe("an old copy that is saved over a new note", () => {
  it.each(["list", "add"] as const)("is told by %s, and the note's text is in the log", async (verb) => {
    const { memory, note, path, old, save, told, log } = await withOldCopy("Workers need TZ=UTC");
    save(`${old}\nMore prose.\n`);
    await (verb === "list" ? memory.notes.list() : memory.notes.add({ content: "Third", type: "fix" }));
    expect(told).toMatchObject([{ kind: "notes-removed", path, ids: [note.id] }]);
    expect(log()).toContain(`${note.id} (fix) is gone from .agent/memories.md: "Workers need TZ=UTC" #tz`);
    await memory.notes.list();
    expect(told).toHaveLength(1);
  });

  it("is told of the first note of a project, too", async () => {
    const { memory, note, save, told } = await withOldCopy("Workers need TZ=UTC");
    save("# Memories\n\n## Fixes\n");
    await memory.notes.list();
    expect(told).toMatchObject([{ kind: "notes-removed", ids: expect.arrayContaining([note.id]) }]);
  });

  it("leaves the whole of a long note in the log", async () => {
    const words = Array.from({ length: 400 }, (_, place) => `😀word${place}`);
    const { memory, old, save, log } = await withOldCopy(words.join(" "));
    save(old);
    await memory.notes.list();
    for (const word of ["word0 ", "word399"]) expect(log()).toContain(word);
    expect(log()).not.toContain("\ufffd");
  });

  it.each([
    [
      "after a day",
      async ({ now, save, old }: Case) => {
        now.value += 25 * hour;
        save(old);
      },
    ],
    ["if a command deleted it", async ({ memory, note }: Case) => void (await memory.notes.delete(note.id))],
    ["while an editor empties the file to fill it again", async ({ save }: Case) => save("")],
  ])("is not told %s", async (_, remove) => {
    const scratch = await withOldCopy("Workers need TZ=UTC");
    await remove(scratch);
    await scratch.memory.notes.list();
    expect(scratch.told).toEqual([]);
  });
});

type Case = Awaited<ReturnType<typeof withOldCopy>>;
