import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

describe("duplicates", () => {
  it("merge into the most confident one and are kept as superseded", async () => {
    const memory = await openScratchMemory();
    const store = (description: string, confidence: number, source: string) =>
      memory.learnings.add({
        type: "pattern",
        taskType: "general",
        content: { description },
        confidence,
        sourceLoops: [source],
      });
    const weaker = await store("Express handlers need explicit return types", 0.6, "a");
    const stronger = await store("Explicit return types are needed in Express handlers", 0.9, "b");
    expect(await memory.learnings.mergeDuplicates({ dryRun: true })).toHaveLength(1);
    expect(await memory.learnings.list()).toHaveLength(2);
    expect(await memory.learnings.mergeDuplicates()).toEqual([
      { kept: stronger.id, superseded: [weaker.id] },
    ]);
    expect(await memory.learnings.list()).toMatchObject([{ id: stronger.id, sourceLoops: ["a", "b"] }]);
    expect(await memory.learnings.get(weaker.id)).toMatchObject({ superseded_by: stronger.id });
    expect(await memory.learnings.mergeDuplicates()).toEqual([]);
  });
});
