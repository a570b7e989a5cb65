import { describe, expect, it } from "vitest";
import type { ExtractedLearning } from "../../../src/domain/knowledge/learning.js";
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

  it("joins a statement of two task types as a general one, and keeps another value apart", async () => {
    const memory = await openScratchMemory();
    await memory.learnings.stage([
      found("Raise the timeout to 30 seconds", "a"),
      found("Raise the timeout to 30 seconds", "b", { taskType: "feature" }),
      found("Raise the timeout to 60 seconds", "c"),
    ]);
    await memory.learnings.promoteStaged({ autoValidate: true });
    const learnings = await memory.learnings.list();
    const said = learnings.map(({ taskType, content, sourceLoops }) => [
      taskType,
      content.description,
      sourceLoops,
    ]);
    expect(said.sort()).toEqual([
      ["general", "Raise the timeout to 30 seconds", ["a", "b"]],
      ["test-fix", "Raise the timeout to 60 seconds", ["c"]],
    ]);
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
