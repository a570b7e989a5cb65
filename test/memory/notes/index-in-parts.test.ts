import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/memory/open-memory.js";
import { parseNotes } from "../../../src/notes/parse.js";
import { growsLinearly } from "../../support/grows-linearly.js";
import { put, scratchRepository } from "../../support/scratch.js";

const block = (index: number, content = `kettle ${index}`) =>
  `### mem-${1_700_000_000 + index}-abcd\n> ${content}\n<!-- tags: t | created: 2025-01-20 -->\n`;

function repositoryWith(blocks: readonly string[]): string {
  const root = scratchRepository();
  put(root, ".agent/memories.md", `# Memories\n\n## Fixes\n\n${blocks.join("\n")}`);
  return root;
}

const open = (root: string, onIndexed: (done: number, total: number) => void) =>
  openMemory({
    root,
    environment: { RALPH_HOME: join(root, ".home") },
    onNotice: (notice) => notice.kind === "indexing" && onIndexed(notice.done, notice.total),
  });

describe("many notes that somebody wrote into the file", () => {
  it("are indexed in parts: what interrupts a later part does not undo the earlier ones", async () => {
    const root = repositoryWith(Array.from({ length: 7000 }, (_, index) => block(index)));
    const interrupted = await open(root, (done) => {
      if (done === 6000) throw new Error("interrupted");
    });
    await expect(interrupted.notes.list({ limit: 1 })).rejects.toThrow("interrupted");
    await interrupted.close();
    const told: string[] = [];
    const memory = await open(root, (done, total) => told.push(`${done} of ${total}`));
    expect(await memory.notes.list()).toHaveLength(7000);
    expect(told).toEqual(["1000 of 2000", "2000 of 2000"]);
    await memory.close();
  });
});

describe("a note that is too long", () => {
  it("is found by its beginning, keeps every byte in the file, and doctor names it", async () => {
    const long = `kettle ${"boiler ".repeat(200_000)} gasket`;
    const root = repositoryWith([block(1, long), block(2, "valve")]);
    const memory = await open(root, () => {});
    const [found] = await memory.notes.search({ text: "kettle" });
    expect(found?.content.length).toBeLessThan(1_100_000);
    expect(found?.content).toMatch(/the rest of 1400014 characters is in the file …\]$/);
    await memory.notes.edit("mem-1700000001", { tags: ["new"] });
    const { blocks } = parseNotes(readFileSync(join(root, ".agent/memories.md")), { today: "2025-01-20" });
    expect(blocks.map(({ note }) => note.content)).toEqual([long, "valve"]);
    const { checks } = await memory.checkHealth();
    expect(checks.map(({ detail }) => detail).join("\n")).toContain(
      "line 5: mem-1700000001-abcd is longer than 1 MB: only its beginning can be found",
    );
    await memory.close();
  });
});

describe("parsing", () => {
  it.each([
    ["notes", (count: number) => block(1).repeat(count)],
    ["one long line", (count: number) => block(1, "x | <!-- tags: --> ".repeat(count * 4))],
    ["many lines", (count: number) => block(1, "x\n> ".repeat(count * 8))],
    [
      "fences that nothing closes",
      (count: number) =>
        Array.from({ length: Math.sqrt(count) * 10 }, (_, index) => "`".repeat(index % 800)).join("\n"),
    ],
    [
      "metadata of bars",
      (count: number) => `### mem-1-a\n> x\n<!-- tags: ${"| created: - ".repeat(count * 4)}`,
    ],
  ])("takes time that grows with the file alone: %s", (_name, make) => {
    const work = (count: number) => parseNotes(Buffer.from(make(count)), { today: "2025-01-20" });
    expect(growsLinearly(work, 20_000)).toBe(true);
  });
});
