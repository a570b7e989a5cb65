import { describe, expect, it } from "vitest";
import type { ExtractedLearning } from "../../../src/domain/knowledge/learning.js";
import { MemoryRetrieval } from "../../../src/index.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

const found = (
  description: string,
  source: string,
  more: Partial<ExtractedLearning> = {},
): ExtractedLearning => ({
  type: "strategy",
  taskType: "test-fix",
  content: { description, effectiveness: 0.8, iterations: 2 },
  confidence: 0.8,
  sourceLoops: [source],
  successRate: 0.8,
  ...more,
});

describe("promotion", () => {
  it("strengthens the record that says the same in other words", async () => {
    const memory = await openScratchMemory();
    await memory.learnings.stage([found("Mock the clock in the date tests", "task-001")]);
    await memory.learnings.promoteStaged({ autoValidate: true });
    await memory.learnings.stage([
      found("In the date tests, always mock the clock", "task-002"),
      found("Mock the clocks in date tests", "task-003"),
    ]);
    const { promoted, learnings } = await memory.learnings.promoteStaged({ autoValidate: true });
    expect([promoted, learnings.length]).toEqual([2, 2]);
    const all = await memory.learnings.list();
    expect(all).toMatchObject([
      { sourceLoops: ["task-001", "task-002", "task-003"], content: { iterations: 6 } },
    ]);
    expect(all[0]?.confidence).toBeGreaterThan(0.8);
    await memory.learnings.stage([found("Mock the clock in the date tests", "task-001")]);
    await memory.learnings.promoteStaged({ autoValidate: true });
    expect(await memory.learnings.list()).toEqual(all);
  });

  it("keeps statements for another task type, or with another value, apart", async () => {
    const memory = await openScratchMemory();
    await memory.learnings.stage([
      found("Raise the timeout to 30 seconds", "a"),
      found("Raise the timeout to 30 seconds", "b", { taskType: "feature" }),
      found("Raise the timeout to 60 seconds", "c"),
    ]);
    await memory.learnings.promoteStaged({ autoValidate: true });
    expect(await memory.learnings.stats()).toMatchObject({ totalSize: 3 });
  });

  it("leaves invalid learnings staged, with the reason", async () => {
    const memory = await openScratchMemory();
    await memory.learnings.stage([
      found("Guess", "a", { confidence: 0.2 }),
      found("Try", "b", { successRate: 0.1 }),
    ]);
    expect(await memory.learnings.promoteStaged({ autoValidate: true })).toMatchObject({
      promoted: 0,
    });
    expect((await memory.learnings.listStaged()).map(({ rejectionReason }) => rejectionReason)).toEqual([
      "Confidence too low (< 0.3)",
      "Strategies should have success rate >= 0.5",
    ]);
    expect(await memory.learnings.list()).toEqual([]);
  });

  it("does not bring back deleted learnings", async () => {
    const memory = await openScratchMemory();
    await memory.learnings.stage([found("Mock the clock in the date tests", "a")]);
    const { learnings } = await memory.learnings.promoteStaged({ autoValidate: true });
    const { text } = await memory.learnings.export();
    await memory.learnings.delete(learnings[0]?.id ?? "");
    await memory.learnings.stage([found("Mock the clock in the date tests", "b")]);
    expect(await memory.learnings.promoteStaged({ autoValidate: true })).toMatchObject({
      promoted: 0,
      skipped: 1,
    });
    expect(await memory.learnings.import(text)).toMatchObject({ added: 0, skipped: 1 });
    expect(await memory.learnings.list()).toEqual([]);
  });

  it("waits for a review when so configured, which may reword and reject", async () => {
    const memory = await openScratchMemory({ settings: "learnings:\n  promotion: review\n" });
    await memory.tasks.init({ description: "Fix failing tests" });
    await memory.tasks.start("task-001");
    await memory.tasks.complete("task-001", {
      outcome: "success",
      whatWorked: ["Ran one test file at a time"],
    });
    expect(await memory.learnings.list()).toEqual([]);
    const staged = await memory.learnings.listStaged();
    const strategy = staged.find(({ learning }) => learning.type === "strategy");
    expect(strategy).toMatchObject({ status: "pending", learning: { sourceLoops: ["task-001"] } });
    await memory.learnings.acceptStaged(strategy?.id ?? "", "Run one test file at a time");
    for (const { id } of staged)
      if (id !== strategy?.id) await memory.learnings.rejectStaged(id, "too little");
    await memory.learnings.promoteStaged();
    expect(await memory.learnings.list()).toMatchObject([
      { content: { description: "Run one test file at a time" }, source_episodes: ["task-001/1"] },
    ]);
    await expect(memory.learnings.rejectStaged("stage-1-0", "x")).rejects.toMatchObject({
      code: "not-found",
    });
  });
});

describe("learnings about the same thing with another value", () => {
  it("supersede the older ones, which are kept", async () => {
    const memory = await openScratchMemory();
    const fact = (description: string) =>
      memory.learnings.add({ type: "fact", taskType: "general", content: { description }, confidence: 0.9 });
    const older = await fact("We use PostgreSQL 14 in production");
    const newer = await fact("We use PostgreSQL 16 in production");
    expect(await memory.learnings.list()).toEqual([newer]);
    expect(await memory.learnings.get(older.id)).toMatchObject({ superseded_by: newer.id });
    expect(await memory.links.list(older.id)).toMatchObject([{ relation: "superseded_by", to: newer.id }]);
    await memory.links.remove({ from: newer.id, to: older.id, relation: "supersedes" });
    expect(await memory.learnings.list()).toHaveLength(2);
  });

  it("that say the opposite are linked as a contradiction", async () => {
    const memory = await openScratchMemory();
    const convention = (pattern: string) =>
      memory.learnings.add({ type: "convention", taskType: "general", content: { pattern } });
    const one = await convention("Always mock the network in unit tests");
    const other = await convention("Never mock the network in unit tests");
    expect(await memory.links.list(one.id)).toMatchObject([{ relation: "contradicts", to: other.id }]);
    expect(await memory.learnings.list()).toHaveLength(2);
  });
});

describe("links", () => {
  it("have seven relations, and the superseding ones hide learnings", async () => {
    const memory = await openScratchMemory();
    const store = (description: string) =>
      memory.learnings.add({ type: "pattern", taskType: "general", content: { description } });
    const one = await store("Retries need a limit");
    const other = await store("Queues need a dead letter box");
    expect(await memory.links.add({ from: one.id, to: other.id, relation: "elaborates" })).toMatchObject({
      isNew: true,
    });
    expect(await memory.links.add({ from: one.id, to: other.id, relation: "elaborates" })).toMatchObject({
      isNew: false,
    });
    await memory.links.add({ from: one.id, to: other.id, relation: "superseded_by" });
    expect((await memory.learnings.list()).map(({ id }) => id)).toEqual([other.id]);
    await expect(
      memory.links.add({ from: one.id, to: other.id, relation: "replaces" as never }),
    ).rejects.toMatchObject({ code: "wrong-use" });
    await expect(memory.links.add({ from: one.id, to: one.id, relation: "elaborates" })).rejects.toThrow();
  });
});

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

describe("backups", () => {
  it("restore learnings exactly, also after pruning", async () => {
    const memory = await openScratchMemory();
    const kept = await memory.learnings.add({
      type: "pattern",
      taskType: "general",
      content: { description: "Retries need a limit" },
      confidence: 0.2,
    });
    expect(await memory.learnings.prune({ minQuality: 0.4, dryRun: true })).toMatchObject([
      { reason: "confidence 0.2 is below 0.4" },
    ]);
    expect(await memory.learnings.list()).toEqual([kept]);
    await memory.learnings.prune({ minQuality: 0.4 });
    expect(await memory.learnings.list()).toEqual([]);
    expect(await memory.learnings.restore()).toMatchObject({ learnings: 1 });
    expect(await memory.learnings.list()).toEqual([kept]);
    await expect(memory.learnings.restore("/no/such/file.json")).rejects.toMatchObject({
      code: "file-unusable",
    });
  });

  it("keep antipatterns, whose success rate is always 0", async () => {
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
    const { existsSync } = await import("node:fs");
    expect(existsSync(`${memory.project.root}/.ralph`)).toBe(false);
  });
});
