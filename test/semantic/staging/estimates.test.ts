import { describe, expect, it } from "vitest";
import { statementOf } from "../../../src/domain/knowledge/statement.js";
import type { Memory } from "../../../src/memory/memory.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";

async function finish(memory: Memory, description: string, outcome = "success"): Promise<string> {
  const { id } = await memory.tasks.init({ description });
  await memory.tasks.start(id);
  await memory.tasks.log(id, entries({ tool: "Edit", type: "edit", params: { file_path: "src/todo.ts" } }));
  await memory.tasks.complete(id, { outcome: outcome as "success" });
  return id;
}

const endpoints = ["todos", "labels", "users", "notes", "tags", "boards", "lists", "teams"];

describe("the estimate of a kind of task", () => {
  it("adds up over tasks until it says enough", async () => {
    const memory = await openScratchMemory();
    const estimates = () => memory.learnings.list({ type: "estimate" });
    const ids: string[] = [];
    for (const [index, name] of endpoints.entries()) {
      ids.push(await finish(memory, `Implement GET /api/${name} endpoint`));
      expect(await estimates()).toHaveLength(index === 0 ? 0 : 1);
    }
    expect(await estimates()).toMatchObject([
      {
        taskType: "feature",
        confidence: 0.9,
        sourceLoops: ids,
        content: { complexity: "low", totalIterations: 1, successRate: 1 },
      },
    ]);
    const [estimate] = await estimates();
    expect(estimate && statementOf(estimate)).toBe("Similar tasks (feature, low complexity): ~1 iteration");
    await memory.learnings.consolidate({ since: "2020-01-01T00:00:00.000Z" });
    expect(await estimates()).toHaveLength(1);
  });

  it("is that of a fifth of an iteration for each one that was completed", async () => {
    const memory = await openScratchMemory();
    for (const name of endpoints.slice(0, 3)) await finish(memory, `Implement GET /api/${name} endpoint`);
    expect(await memory.learnings.list({ type: "estimate" })).toMatchObject([{ confidence: 0.6 }]);
  });

  it("is not that of a single task, however many iterations it took", async () => {
    const memory = await openScratchMemory();
    const { id } = await memory.tasks.init({ description: "Implement GET /api/todos endpoint" });
    await memory.tasks.start(id);
    for (const iteration of [1, 2])
      await memory.tasks.endIteration(id, { iteration, success: true, output: "" });
    await memory.tasks.complete(id, { outcome: "success" });
    expect(await memory.learnings.list({ type: "estimate" })).toEqual([]);
    await finish(memory, "Implement GET /api/labels endpoint");
    expect(await memory.learnings.list({ type: "estimate" })).toHaveLength(1);
  });

  it("comes from no task in which the agent never worked", async () => {
    const memory = await openScratchMemory();
    for (const name of endpoints) {
      const { id } = await memory.tasks.init({ description: `Implement GET /api/${name} endpoint` });
      await memory.tasks.start(id);
      const trouble = "the agent exited with code 1";
      for (const iteration of [1, 2, 3])
        await memory.tasks.endIteration(id, { iteration, success: false, quality: 0, output: "", trouble });
      await memory.tasks.complete(id, { outcome: "failure" });
    }
    expect(await memory.learnings.list({ type: "estimate" })).toEqual([]);
    expect(JSON.stringify(await memory.learnings.listStaged())).not.toContain('"estimate"');
  });

  it("is not drawn from tasks that failed", async () => {
    const memory = await openScratchMemory();
    for (const name of endpoints) await finish(memory, `Implement GET /api/${name} endpoint`, "failure");
    expect(await memory.learnings.list({ type: "estimate" })).toEqual([]);
  });
});
