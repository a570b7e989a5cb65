import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LearningType } from "../../../src/domain/knowledge/learning.js";
import { MemoryRetrieval } from "../../../src/index.js";
import type { Memory } from "../../../src/memory/memory.js";
import type { PruneOptions } from "../../../src/semantic/records/learning-records.js";
import { queryScore } from "../../../src/semantic/records/write-learning.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

describe("looking for learnings where there is no memory", () => {
  it("finds nothing and creates no files", async () => {
    const memory = await openScratchMemory();
    expect(await memory.learnings.list()).toEqual([]);
    expect(await memory.learnings.stats()).toMatchObject({ totalSize: 0, lastUpdated: null });
    expect((await new MemoryRetrieval(memory).getRelevantKnowledge({ objective: "Fix it" })).summary).toBe(
      "",
    );
    await expect(memory.learnings.delete("learn-1")).rejects.toMatchObject({ code: "not-found" });
    expect(await memory.learnings.verify()).toEqual({ valid: true });
    expect(existsSync(`${memory.project.root}/.ralph`)).toBe(false);
  });
});

describe("a learning", () => {
  const learning = {
    type: "fact",
    taskType: "general",
    content: { description: "Retries need a limit" },
  } as const;

  it("is not stored with a content that could not be exported", async () => {
    const memory = await openScratchMemory();
    const content = { description: 7 } as never;
    await expect(memory.learnings.add({ ...learning, content })).rejects.toMatchObject({
      code: "wrong-use",
      message: "Invalid learning: description is not a string",
    });
    expect(await memory.learnings.list()).toEqual([]);
  });

  it("is not changed to an invalid one", async () => {
    const memory = await openScratchMemory();
    const stored = await memory.learnings.add(learning);
    await expect(memory.learnings.update(stored.id, { files: "a.ts" as never })).rejects.toMatchObject({
      code: "wrong-use",
      message: `The change would make ${stored.id} invalid: files is not a list of strings`,
    });
    expect(await memory.learnings.get(stored.id)).toEqual(stored);
  });
});

describe("the score of a query", () => {
  const learning = { type: "strategy" as LearningType, confidence: 0.8, successRate: 0.5, useCount: 9 };

  it.each([
    ["confidence × success × log of uses", learning, 0.4],
    ["an antipattern at half a success", { ...learning, type: "antipattern" as const, successRate: 0 }, 0.4],
    ["one never used like one used once", { ...learning, useCount: 0 }, 0.4 * Math.log10(2)],
    ["one used once", { ...learning, useCount: 1 }, 0.4 * Math.log10(2)],
    ["no confidence", { ...learning, confidence: 0 }, 0],
    ["no success", { ...learning, successRate: 0 }, 0],
  ])("counts %s", (_, scored, expected) => {
    expect(queryScore(scored)).toBeCloseTo(expected);
  });
});

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
