import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

describe("pruning", () => {
  it("keeps antipatterns, whose success rate is always 0", async () => {
    const memory = await openScratchMemory({ now: { value: "2026-01-01T00:00:00.000Z" } });
    await memory.learnings.add({
      type: "antipattern",
      taskType: "general",
      content: { description: "Avoid: x" },
      confidence: 0.7,
      successRate: 0,
    });
    expect(await memory.learnings.prune({ minQuality: 0.4, staleDays: 90, isUnusedToo: true })).toEqual([]);
  });
});
