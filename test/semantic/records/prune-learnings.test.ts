import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import type { PruneOptions } from "../../../src/semantic/records/learning-records.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

describe("pruning", () => {
  it("judges the quality of an antipattern by its confidence, because its success rate is always 0", async () => {
    const { memory } = await memoryWithAntipattern();
    expect(await reasons(memory, { minQuality: 0.6 })).toEqual([]);
    expect(await reasons(memory, { minQuality: 0.8 })).toEqual(["confidence 0.7 is below 0.8"]);
  });

  it("removes antipatterns that are stale or unused, like any other learning", async () => {
    const { memory, now } = await memoryWithAntipattern();
    now.value = "2026-04-11T00:00:00.000Z";
    expect(await reasons(memory, { staleDays: 100, dryRun: true })).toEqual([]);
    expect(await reasons(memory, { staleDays: 99, dryRun: true })).toEqual(["not updated for 100 days"]);
    expect(await reasons(memory, { isUnusedToo: true })).toEqual(["never used"]);
    expect(await memory.learnings.list()).toEqual([]);
  });
});

async function memoryWithAntipattern() {
  const now = { value: "2026-01-01T00:00:00.000Z" };
  const memory = await openScratchMemory({ now });
  await memory.learnings.add({
    type: "antipattern",
    taskType: "general",
    content: { description: "Avoid: x" },
    confidence: 0.7,
    successRate: 0,
  });
  return { memory, now };
}

async function reasons(memory: Memory, options: PruneOptions): Promise<string[]> {
  return (await memory.learnings.prune(options)).map(({ reason }) => reason);
}
