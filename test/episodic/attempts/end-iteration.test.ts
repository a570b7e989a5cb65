import { describe, expect, it } from "vitest";
import { entries, openScratchMemory, tscOutput } from "../../support/open-scratch-memory.js";

async function startedTask() {
  const memory = await openScratchMemory();
  await memory.tasks.init({ description: "Fix the build" });
  await memory.tasks.start("task-001");
  const log = (...raw: object[]) => memory.tasks.log("task-001", entries(...raw));
  const reflections = async () => (await memory.tasks.history("task-001")).reflections;
  return { memory, log, reflections };
}

describe("an iteration", () => {
  it("that failed is reflected on at once", async () => {
    const { log, reflections } = await startedTask();
    await log(
      { iteration: 1, tool: "Edit", params: { file_path: "src/a.ts" } },
      { iteration: 1, outcome: "failure", quality: 0.2, output: tscOutput("src/b.ts", 3) },
    );
    expect(await reflections()).toMatchObject([
      {
        triggered_by: "iteration",
        iteration: 1,
        reflection_type: "error-analysis",
        observation: expect.stringContaining("TS2322 at src/b.ts:3"),
        analysis: "src/b.ts was not edited",
        learning: expect.stringMatching(/^Editing src\/a\.ts was not enough: TS2322 at src\/b\.ts:3/),
        action_items: ["Edit src/b.ts, which was not touched", "Look at src/b.ts:3"],
      },
    ]);
  });

  it("is compared with the one before, and rates its reflection", async () => {
    const { log, reflections } = await startedTask();
    await log({ iteration: 1, outcome: "failure", output: tscOutput("a.ts", 3) + tscOutput("b.ts", 4) });
    await log({ iteration: 2, outcome: "failure", output: tscOutput("a.ts", 9) + tscOutput("b.ts", 4) });
    await log({ iteration: 3, outcome: "failure", output: tscOutput("b.ts", 4) });
    await log({ iteration: 4, outcome: "failure", output: tscOutput("c.ts", 1, "Other.") });
    await log({ iteration: 5, outcome: "success", quality: 1 });
    const found = await reflections();
    expect(found.map(({ analysis }) => analysis)).toEqual([
      "",
      "Same failure as in iteration 1",
      "Fewer failures than in iteration 2: 1 of 2 left",
      expect.stringMatching(/^A new failure; iteration 3 had TS2322 at b\.ts:4/),
    ]);
    expect(found.map(({ effectiveness }) => effectiveness)).toEqual([
      "unhelpful",
      "helpful",
      "neutral",
      "helpful",
    ]);
  });

  it("whose result is reported again keeps one reflection", async () => {
    const { log, reflections, memory } = await startedTask();
    await log({ iteration: 1, outcome: "failure", output: tscOutput("a.ts", 3) });
    await log({ iteration: 1, outcome: "failure", output: tscOutput("a.ts", 4) });
    expect(await reflections()).toMatchObject([{ observation: expect.stringContaining("a.ts:4") }]);
    const { attempts } = await memory.tasks.history("task-001");
    expect(attempts[0]?.results).toMatchObject([
      { iteration: 1, success: false, output: tscOutput("a.ts", 4) },
    ]);
  });

  it("ended by its runner is recorded with its verdict and a milestone, and reflected on", async () => {
    const { memory, reflections } = await startedTask();
    await memory.tasks.endIteration("task-001", {
      iteration: 1,
      success: false,
      quality: 0.5,
      output: "$ npm test\nnothing known",
      verdict: "npm test: exit code 1",
      changedFiles: ["src/a.ts"],
      milestone: { event: "iteration 1: failed", details: "src/a.ts" },
    });
    const { attempts } = await memory.tasks.history("task-001");
    expect(attempts[0]).toMatchObject({
      execution: { iterations: 1, quality_history: [{ iteration: 1, quality: 0.5 }] },
      milestones: [{ event: "iteration 1: failed", details: "src/a.ts" }],
      results: [{ iteration: 1, success: false, quality: 0.5, timestamp: expect.any(String) }],
    });
    expect(await reflections()).toMatchObject([
      {
        iteration: 1,
        observation: "npm test: exit code 1",
        analysis: 'The output ends with "nothing known". Tried: editing src/a.ts.',
      },
    ]);
    await memory.tasks.endIteration("task-001", { iteration: 2, success: true });
    expect(await reflections()).toMatchObject([{ effectiveness: "helpful" }]);
  });

  it("is not parsed again when its runner hands over the failures, nor is the one before", async () => {
    const { memory, reflections } = await startedTask();
    const output = tscOutput("printed.ts", 1);
    const failures = [{ file: "handed-over.ts", line: 1, message: "No such column" }];
    const previous = { iteration: 1, failures };
    await memory.tasks.endIteration("task-001", { iteration: 1, success: false, output, failures });
    await memory.tasks.endIteration("task-001", { iteration: 2, success: false, output, failures, previous });
    const { reflection } = await memory.tasks.complete("task-001", { outcome: "failure", output, failures });
    const [first, second] = await reflections();
    expect(first?.observation).toBe("1 failure: handed-over.ts:1: No such column");
    expect(second?.analysis).toContain("Same failure as in iteration 1");
    expect(reflection?.observation).toBe("1 failure: handed-over.ts:1: No such column");
    expect(JSON.stringify([first, second, reflection])).not.toContain("printed.ts");
  });

  it("is compared with the record when what its runner hands over is about another one", async () => {
    const { memory, reflections } = await startedTask();
    const previous = { iteration: 7, failures: [{ message: "No such column" }] };
    await memory.tasks.endIteration("task-001", {
      iteration: 1,
      success: false,
      output: tscOutput("a.ts", 1),
    });
    await memory.tasks.endIteration("task-001", {
      iteration: 2,
      success: false,
      output: tscOutput("a.ts", 1),
      previous,
    });
    expect((await reflections())[1]?.analysis).toContain("Same failure as in iteration 1");
  });

  it("ended by its runner leaves the same records as one that is logged", async () => {
    const now = { value: "2026-01-01T00:00:00.000Z" };
    const settings = "memory_config:\n  auto_scaling:\n    enabled: true\n";
    const ended = await openScratchMemory({ now, settings });
    const logged = await openScratchMemory({ now, settings });
    for (const memory of [ended, logged]) {
      await memory.tasks.init({ description: "Fix the build" });
      await memory.tasks.start("task-001");
    }
    for (const iteration of [1, 2, 3]) {
      const result = { iteration, quality: iteration / 10, output: tscOutput("a.ts", iteration) };
      await ended.tasks.endIteration("task-001", { ...result, success: false });
      await logged.tasks.log("task-001", entries({ ...result, outcome: "failure" }));
    }
    const { uuid: _ended, ...one } = await ended.tasks.history("task-001");
    const { uuid: _logged, ...other } = await logged.tasks.history("task-001");
    expect(one.reflections).toHaveLength(3);
    expect(one.memory_capacity_changes).toHaveLength(1);
    expect(one).toEqual(other);
  });

  it.each([{ iteration: 1.5 }, { iteration: -1 }, { iteration: 1, quality: 2 }])(
    "is refused and not recorded as %j",
    async (end) => {
      const { memory } = await startedTask();
      await expect(memory.tasks.endIteration("task-001", end)).rejects.toMatchObject({ code: "wrong-use" });
      expect((await memory.tasks.history("task-001")).attempts[0]?.results).toEqual([]);
    },
  );

  it("may have a quality alone", async () => {
    const { log, memory, reflections } = await startedTask();
    await log({ iteration: 1, quality: 0.25 }, { iteration: 2, quality: 0.75 });
    const { attempts } = await memory.tasks.history("task-001");
    expect(attempts[0]?.execution.quality_history).toEqual([
      { iteration: 1, quality: 0.25, delta: 0.25 },
      { iteration: 2, quality: 0.75, delta: 0.5 },
    ]);
    expect(await reflections()).toEqual([]);
  });
});

describe("an attempt", () => {
  it("tells what resolved the errors it met", async () => {
    const { memory, log } = await startedTask();
    await log(
      { tool: "Bash", params: { command: "npx tsc" }, success: false, output: tscOutput("src/todos.ts", 3) },
      {
        tool: "Edit",
        type: "edit",
        params: { file_path: "src/todos.ts" },
        reasoning: "Added an explicit void to the handler",
      },
      { tool: "Bash", params: { command: "npx tsc" }, success: true },
      { tool: "Bash", params: { command: "npm test" }, success: false, error: "sh: 1: jestt: not found" },
      { tool: "Bash", params: { command: "npm install jestt" } },
    );
    const { attempt } = await memory.tasks.complete("task-001", { outcome: "success" });
    expect(attempt.errors_encountered).toEqual([
      {
        type: "TS2322",
        message: expect.stringContaining("src/todos.ts:3"),
        resolution: "Added an explicit void to the handler (edit src/todos.ts)",
      },
      { type: "error", message: expect.stringContaining("jestt"), resolution: "run `npm install jestt`" },
    ]);
    expect(attempt.context).toEqual({
      goal: "Fix the build",
      constraints: [],
      files_involved: ["src/todos.ts"],
    });
  });

  it("that succeeds explains what the one before could not get past", async () => {
    const { memory, log } = await startedTask();
    await memory.tasks.complete("task-001", { outcome: "failure", output: tscOutput("a.ts", 3) });
    await memory.tasks.start("task-001");
    await log({ tool: "Edit", type: "edit", params: { file_path: "a.ts" } });
    await memory.tasks.complete("task-001", { outcome: "success" });
    const { attempts, reflections } = await memory.tasks.history("task-001");
    expect(attempts[0]?.errors_encountered).toMatchObject([{ resolution: "edit a.ts" }]);
    expect(reflections[0]).toMatchObject({ effectiveness: "helpful", rated_by: "outcome" });
  });

  it("rates the reflection before it by its outcome, unless a person has", async () => {
    const { memory } = await startedTask();
    const fail = () =>
      memory.tasks.complete("task-001", { outcome: "failure", output: tscOutput("a.ts", 3) });
    await fail();
    await memory.tasks.start("task-001");
    await memory.tasks.rate("task-001", "helpful", { attempt: 1 });
    await fail();
    await memory.tasks.start("task-001");
    await fail();
    const { reflections } = await memory.tasks.history("task-001");
    expect(reflections.map(({ effectiveness, rated_by }) => [effectiveness, rated_by])).toEqual([
      ["helpful", "person"],
      ["unhelpful", "outcome"],
      [undefined, undefined],
    ]);
    await expect(memory.tasks.rate("task-001", "helpful", { attempt: 9 })).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("does not end before it began when the clock is set back", async () => {
    const now = { value: "2026-03-01T12:00:00.000Z" };
    const memory = await openScratchMemory({ now });
    await memory.tasks.init({ description: "a" });
    await memory.tasks.start("task-001");
    now.value = "2026-03-01T11:00:00.000Z";
    await memory.tasks.log("task-001", [{ tool: "Bash" }]);
    const { attempt } = await memory.tasks.complete("task-001", { outcome: "failure" });
    expect(attempt).toMatchObject({ ended: "2026-03-01T12:00:00.000Z", duration_seconds: 0 });
    const history = await memory.tasks.history("task-001");
    expect(history.updated).toBe("2026-03-01T12:00:00.000Z");
    expect(history.attempts[0]?.actions).toHaveLength(1);
  });

  it("shows late actions where they belong", async () => {
    const { memory, log } = await startedTask();
    await log({ tool: "C", iteration: 2, timestamp: "2026-01-01T00:00:03Z" });
    await log({ tool: "B", iteration: 1, timestamp: "2026-01-01T00:00:02Z" });
    await log({ tool: "A", iteration: 1, timestamp: "2026-01-01T00:00:01Z" });
    const { attempts } = await memory.tasks.history("task-001");
    expect(attempts[0]?.actions.map(({ tool }) => tool)).toEqual(["A", "B", "C"]);
  });

  it("keeps what its runner thinks of it in the place of the rules' reflection", async () => {
    const { memory } = await startedTask();
    const { reflection } = await memory.tasks.complete("task-001", {
      outcome: "failure",
      output: tscOutput("a.ts", 3),
      reflection: { observation: "The types were generated from an old schema" },
    });
    expect(reflection).toMatchObject({
      observation: "The types were generated from an old schema",
      written_by: "runner",
      triggered_by: "failure",
      action_items: [expect.stringContaining("a.ts:3")],
    });
    await memory.tasks.start("task-001");
    const limited = await memory.tasks.complete("task-001", { outcome: "failure", limit: "2 USD spent" });
    expect(limited.reflection).toMatchObject({
      reflection_type: "constraint-discovery",
      observation: "2 USD spent",
    });
  });

  it("that ran out of time says where it went", async () => {
    const { memory, log } = await startedTask();
    await log(
      { tool: "Bash", params: { command: "npm run e2e" }, timestamp: "2026-01-01T00:00:00Z" },
      { tool: "Read", params: { path: "a.ts" }, timestamp: "2026-01-01T00:05:00Z" },
    );
    const { reflection } = await memory.tasks.complete("task-001", { outcome: "timeout", reason: "10 min" });
    expect(reflection).toMatchObject({
      reflection_type: "process-improvement",
      observation: 'Attempt 1 of "Fix the build" ran out of time after 2 actions: 10 min',
      analysis: "Longest: `npm run e2e` 5m (100 %). The last to run was Read a.ts.",
    });
  });
});
