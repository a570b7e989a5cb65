import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { entries, openScratchMemory, tscOutput } from "../../support/open-scratch-memory.js";
import { recordShown } from "../../support/record-shown.js";

const off = "learnings:\n  promotion: off\n";
const since = "2020-01-01T00:00:00.000Z";

async function finish(
  memory: Memory,
  description: string,
  result: object,
  log: object[] = [],
): Promise<string> {
  const { id } = await memory.tasks.init({ description });
  await memory.tasks.start(id);
  await memory.tasks.log(id, entries(...log));
  await memory.tasks.complete(id, { outcome: "success", ...result });
  return id;
}

describe("consolidation", () => {
  it("turns what similar tasks agree on into a pattern, with its sources", async () => {
    const memory = await openScratchMemory({ settings: off });
    const whatWorked = ["Add an explicit void return type to Express route handlers"];
    const one = await finish(memory, "Implement the POST /api/todos endpoint", { whatWorked });
    const other = await finish(memory, "Implement the POST /api/users endpoint", {
      whatWorked: ["Express route handlers: add the explicit return type void"],
    });
    await finish(memory, "Rename the logo", { whatWorked: ["Searched for the old name everywhere"] });
    const added = [
      { kind: "added", learning: { type: "pattern" } },
      { kind: "added", learning: { type: "estimate" } },
    ];
    expect(await memory.learnings.consolidate({ since, dryRun: true })).toMatchObject({ changes: added });
    expect(await memory.learnings.list()).toEqual([]);
    const result = await memory.learnings.consolidate({ since });
    expect(result).toMatchObject({ episodes: 3, clusters: 1, changes: added });
    const [pattern] = await memory.learnings.list({ type: "pattern" });
    expect(pattern).toMatchObject({
      content: { description: whatWorked[0] },
      sourceLoops: [one, other],
      source_episodes: [`${one}/1`, `${other}/1`],
      correct_approach: whatWorked[0],
      conditions: ['Tasks like "Implement the POST /api/todos endpoint"'],
    });
    expect(pattern?.confidence).toBeGreaterThanOrEqual(0.8);
    expect((await memory.learnings.consolidate({ since })).changes).toEqual([]);
    const { attempts, links } = await memory.learnings.why(pattern?.id ?? "");
    expect(attempts.map(({ episode }) => episode)).toEqual([`${one}/1`, `${other}/1`]);
    expect(links.filter(({ relation }) => relation === "derived_from")).toHaveLength(2);
  });

  it("turns one error with a resolution into an antipattern: what fails, why, how to prevent it", async () => {
    const memory = await openScratchMemory({ settings: off });
    await finish(memory, "Fix the build", {}, [
      { tool: "Bash", params: { command: "tsc" }, success: false, output: tscOutput("src/todos.ts", 3) },
      {
        tool: "Edit",
        type: "edit",
        params: { file_path: "src/todos.ts" },
        reasoning: "Added explicit :void to the route handler",
      },
      { tool: "Bash", params: { command: "tsc" }, success: true },
    ]);
    await memory.learnings.consolidate({ since });
    expect(await memory.learnings.list({ type: "antipattern" })).toMatchObject([
      {
        taskType: "bug-fix",
        successRate: 0,
        content: {
          what_fails: "TS2322",
          why: expect.stringContaining("is not assignable"),
          prevention: "Added explicit :void to the route handler (edit src/todos.ts)",
        },
        files: ["src/todos.ts"],
      },
    ]);
  });

  it("turns an error without a resolution into an antipattern only when it occurred twice", async () => {
    const memory = await openScratchMemory({ settings: off });
    await finish(memory, "Fix the build", { outcome: "failure", output: tscOutput("a.ts", 3) });
    expect((await memory.learnings.consolidate({ since })).changes).toEqual([]);
    await finish(memory, "Repair the compile step", { outcome: "failure", output: tscOutput("a.ts", 9) });
    expect((await memory.learnings.consolidate({ since })).changes).toMatchObject([
      { kind: "added", learning: { type: "antipattern", content: { occurrences: 2 } } },
    ]);
  });

  it("never turns a lesson of failed tasks alone into advice", async () => {
    const memory = await openScratchMemory({ settings: off });
    for (const name of ["login", "logout"])
      await finish(memory, `Fix the ${name} test of the session page`, {
        outcome: "failure",
        reflection: { observation: "Sleeping longer before the assertion should make it pass" },
      });
    await memory.learnings.consolidate({ since });
    const learnings = await memory.learnings.list();
    expect(learnings.map(({ type }) => type)).toEqual(["antipattern"]);
  });

  it("strengthens a strategy that says the same instead of adding a pattern", async () => {
    const memory = await openScratchMemory();
    const whatWorked = ["Add an explicit void return type to Express route handlers"];
    await finish(memory, "Implement the POST /api/todos endpoint", { whatWorked });
    await finish(memory, "Implement the POST /api/users endpoint", { whatWorked });
    await memory.learnings.consolidate({ since });
    expect((await memory.learnings.list()).map(({ type }) => type)).toEqual(["strategy", "estimate"]);
  });

  it("only considers tasks that ended since the given time", async () => {
    const now = { value: "2026-01-01T00:00:00.000Z" };
    const memory = await openScratchMemory({ settings: off, now });
    await finish(memory, "Fix a", {});
    now.value = "2026-02-01T00:00:00.000Z";
    await finish(memory, "Fix b", {});
    expect(await memory.learnings.consolidate({ since: "2026-01-31T00:00:00.000Z" })).toMatchObject({
      episodes: 1,
    });
  });
});

describe("a task that ends", () => {
  it("is learned from automatically, and a second time adds no duplicate", async () => {
    const memory = await openScratchMemory();
    const id = await finish(memory, "Fix failing tests", { whatWorked: ["Tests need `--runInBand`"] });
    const before = await memory.learnings.list();
    expect(before).toMatchObject([
      { type: "strategy", content: { description: "Tests need `--runInBand`" } },
    ]);
    expect(await memory.learnings.learnFromTask(id)).toMatchObject({
      extracted: 2,
      rejected: 0,
      promoted: 1,
    });
    expect(await memory.learnings.listStaged()).toMatchObject([
      { learning: { type: "estimate" }, awaitsEvidence: true },
    ]);
    await memory.learnings.consolidate({ since });
    expect(await memory.learnings.list()).toEqual(before);
    const why = await memory.learnings.why(before[0]?.id ?? "");
    expect(why.attempts).toMatchObject([{ task_id: id, attempt_id: 1, outcome: "success" }]);
  });

  it("does not learn again what its brief contained", async () => {
    const memory = await openScratchMemory();
    await finish(memory, "Fix failing tests", {
      whatWorked: ["<ralph-memory>\nbackground\n- Always restart the database first\n</ralph-memory>"],
    });
    expect(JSON.stringify(await memory.learnings.list())).not.toContain("restart the database");
  });

  it("credits what it was shown: fully when cited, a little when only shown", async () => {
    const memory = await openScratchMemory();
    const store = (description: string) =>
      memory.learnings.add({ type: "strategy", taskType: "test-fix", content: { description } });
    const cited = await store("Run one test file at a time");
    const shown = await store("Read the changelog of the test runner");
    const { id } = await memory.tasks.init({ description: "Fix failing tests" });
    await recordShown(memory, {
      task_id: id,
      created: "2026-01-01T00:00:00.000Z",
      isHoldout: false,
      records: [cited, shown].map((learning) => ({ id: learning.id, kind: "learning" })),
    });
    expect(await memory.learnings.get(shown.id)).toMatchObject({ useCount: 1 });
    await memory.tasks.start(id);
    await memory.tasks.log(
      id,
      entries({ tool: "Bash", reasoning: `As ${cited.id} says, one file at a time` }),
    );
    await memory.tasks.complete(id, { outcome: "success" });
    expect((await memory.learnings.why(cited.id)).credits).toMatchObject([
      { task_id: id, weight: 1, succeeded: true, reason: "cited" },
    ]);
    expect((await memory.learnings.why(shown.id)).credits).toMatchObject([{ weight: 0.2, reason: "shown" }]);
  });
});
