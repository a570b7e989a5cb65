import { describe, expect, it } from "vitest";
import { openActionLog } from "../../src/loop/record-actions.js";
import { runsOf } from "../../src/memory/runs/runs.js";
import { thisRunner } from "../../src/processes/runner.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { runOptions } from "./iteration-samples.js";

const action = (tool: string, idempotency_key?: string) => ({
  timestamp: "2026-01-01T00:00:00.000Z",
  tool,
  params: {},
  success: true,
  ...(idempotency_key !== undefined && { idempotency_key }),
});

async function openAttempt() {
  const memory = await openScratchMemory();
  await memory.tasks.init({ description: "Round the discounts" });
  const runId = await runsOf(memory).begin("task-001", runOptions(), thisRunner());
  await memory.tasks.start("task-001", { runId });
  const recorded = async () =>
    (await memory.tasks.history("task-001", { isFull: true })).attempts[0]?.actions ?? [];
  return { memory, recorded, runId };
}

const never = (message: string) => {
  throw new Error(message);
};

describe("the log of an agent's actions", () => {
  it("records all of them, in their order, with the iteration", async () => {
    const { memory, recorded, runId } = await openAttempt();
    const log = openActionLog(runsOf(memory), { taskId: "task-001", runId, iteration: 3 }, never);
    for (let number = 0; number < 120; number += 1) {
      log.add(action(`Tool${number}`));
      await log.ready();
    }
    await log.flush();
    expect(log.count()).toBe(120);
    expect((await recorded()).map(({ tool, iteration }) => `${tool} ${iteration}`)).toEqual(
      Array.from({ length: 120 }, (_, number) => `Tool${number} 3`),
    );
  });

  it("takes a call that is told twice for one, and the same number in another iteration for another", async () => {
    const { memory, recorded, runId } = await openAttempt();
    for (const iteration of [1, 2]) {
      const log = openActionLog(runsOf(memory), { taskId: "task-001", runId, iteration }, never);
      log.add(action("Bash", "call-1"));
      log.add(action("Bash", "call-1"));
      await log.flush();
    }
    expect((await recorded()).map(({ iteration }) => iteration)).toEqual([1, 2]);
  });

  it("tells what could not be recorded, and goes on", async () => {
    const { memory, runId } = await openAttempt();
    const problems: string[] = [];
    const log = openActionLog(runsOf(memory), { taskId: "task-009", runId, iteration: 1 }, (message) =>
      problems.push(message),
    );
    log.add(action("Bash"));
    await log.flush();
    log.add(action("Edit"));
    await log.flush();
    expect(problems).toEqual([1, 2].map(() => expect.stringMatching(/not recorded: .*task-009/)));
    expect(log.count()).toBe(2);
  });
});
