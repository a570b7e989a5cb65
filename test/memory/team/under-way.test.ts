import { describe, expect, it } from "vitest";
import type { Runner } from "../../../src/domain/tasks/attempt.js";
import { runsOf } from "../../../src/memory/runs/runs.js";
import { thisRunner } from "../../../src/processes/runner.js";
import { runOptions } from "../../loop/iteration-samples.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const elsewhere: Runner = { pid: 7, host: "old-box", started: "1", boot: "another", space: "pid:[1]" };

describe("who works on what", () => {
  it("is told of runs and of attempts by hand, with their last action", async () => {
    const root = scratchRepository();
    const memory = await openScratchMemory({ root, environment: { RALPH_AS: "Ann" } });
    expect(await memory.team.underWay()).toEqual([]);
    for (const description of ["Round the prices", "Mend the login", "Over already"])
      await memory.tasks.init({ description });
    await memory.tasks.start("task-001", { runner: thisRunner(), agent: "claude", hasBrief: false });
    const command = (text: string) => ({ type: "bash", params: { command: text }, success: true });
    await memory.tasks.log("task-001", entries(command("npm test"), command("npm run build")));
    const runId = await runsOf(memory).begin("task-002", runOptions({ agent: "codex" }), elsewhere);
    await memory.tasks.start("task-002", { runner: elsewhere, runId, hasBrief: false });
    await memory.tasks.start("task-003", { hasBrief: false });
    await memory.tasks.complete("task-003", { outcome: "success" });
    const [one, other, ...rest] = await memory.team.underWay();
    expect(one).toMatchObject({
      ...{ task_id: "task-001", objective: "Round the prices", attempt: 1, state: "running" },
      ...{ made_by: "Ann", agent: "claude", process: process.pid },
      last_action: { tool: "bash", what: "npm run build", success: true },
    });
    expect(other).toMatchObject({
      ...{ task_id: "task-002", objective: "Mend the login", state: "running elsewhere" },
      ...{ made_by: "Ann", agent: "codex", host: "old-box", held_until: expect.any(String) },
    });
    expect(other).not.toHaveProperty("last_action");
    expect(rest).toEqual([]);
  });
});

describe("what somebody did", () => {
  it("names them: tasks, attempts, runs, handoffs and reviews", async () => {
    const root = scratchRepository();
    const ann = await openScratchMemory({ root, environment: { RALPH_AS: "Ann" } });
    await ann.tasks.init({ description: "Round the prices", agent: "api" });
    await ann.tasks.start("task-001", { hasBrief: false });
    await ann.tasks.complete("task-001", { outcome: "failure" });
    await ann.working.createHandoff({ from: "api", to: "web", taskId: "task-001" });
    await ann.learnings.stage([
      {
        ...{ type: "strategy", taskType: "bug-fix", content: { description: "Round at the end of a sum" } },
        ...{ confidence: 0.9, sourceLoops: ["task-001"], successRate: 1 },
      },
    ]);
    const bo = await openScratchMemory({ root, environment: { RALPH_AS: "Bo" } });
    await bo.tasks.start("task-001", { hasBrief: false });
    const { made_by: maker, attempts } = await bo.tasks.history("task-001");
    expect([maker, ...attempts.map(({ made_by: name }) => name)]).toEqual(["Ann", "Ann", "Bo"]);
    expect(await bo.working.acceptHandoff("handoff-001")).toMatchObject({ made_by: "Ann", taken_by: "Bo" });
    expect(await bo.working.getHandoff("handoff-001")).toMatchObject({ made_by: "Ann", taken_by: "Bo" });
    const { learnings } = await bo.learnings.promoteStaged({ autoValidate: true });
    expect(learnings).toMatchObject([{ reviewed_by: ["Bo"] }]);
    const { learning, attempts: evidence } = await bo.learnings.why(learnings[0]?.id ?? "");
    expect(learning.reviewed_by).toEqual(["Bo"]);
    expect(evidence.map(({ made_by: name }) => name)).toEqual(["Ann", "Bo"]);
  });
});
