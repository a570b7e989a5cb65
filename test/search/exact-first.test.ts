import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/memory/open-memory.js";
import { scratchFolder } from "../support/scratch.js";

/** Notes that were written a minute apart, so that each gains from the hits beside it. */
async function memoryWith(contents: readonly string[]) {
  const root = scratchFolder();
  mkdirSync(join(root, ".agent"));
  const blocks = contents.map((content, index) => {
    const id = `mem-${1_700_000_000 + index * 60}-${(index % 65_536).toString(16).padStart(4, "0")}`;
    return `### ${id}\n> ${content}\n<!-- tags: shop | created: 2026-01-01 -->\n`;
  });
  writeFileSync(join(root, ".agent/memories.md"), `# Memories\n\n## Patterns\n\n${blocks.join("\n")}`);
  return openMemory({ root, environment: { RALPH_HOME: join(root, "home") } });
}

/** Half of the notes are about one word, half about the other; the last ones were written at another time. */
const notesWith = (count: number, ...exact: string[]) => [
  ...Array.from({ length: count }, (_, index) =>
    index % 2 ? `Layer ${index} of the shop` : `Caching ${index}`,
  ),
  ...Array.from({ length: 300 }, (_, index) => `Orders are kept for ${index} days`),
  ...exact,
];
const long =
  "in the pipeline of the shop, because each job starts with an empty disk and has to pull everything again";

describe.each([200, 3000])("a short question among %i notes about one of its words", (count) => {
  it("finds the only note first that holds every word", async () => {
    const memory = await memoryWith(notesWith(count, `Turn on caching by layer ${long}`));
    const [first] = await memory.notes.search({ text: "layer caching", limit: 10 });
    expect(first?.content).toContain("Turn on caching");
    await memory.close();
  });

  it("finds the only note first that holds the very phrase", async () => {
    const memory = await memoryWith(
      notesWith(count, "Caching works by layer", "Why", `Turn on layer caching ${long}`),
    );
    const [first] = await memory.notes.search({ text: "layer caching", limit: 10 });
    expect(first?.content).toContain("Turn on layer caching");
    await memory.close();
  });
});
