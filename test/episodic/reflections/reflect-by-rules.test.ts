import { describe, expect, it } from "vitest";
import { openScratchMemory, tscOutput } from "../../support/open-scratch-memory.js";

async function startedTask(plan: object = {}) {
  const now = { value: "2026-03-01T12:00:00.000Z" };
  const memory = await openScratchMemory({ now });
  await memory.tasks.init({ description: "Export the invoices" });
  await memory.tasks.start("task-001", { plan });
  const wait = (seconds: number) => {
    now.value = new Date(Date.parse(now.value) + seconds * 1000).toISOString();
  };
  /** Logs a call that begins now and takes this long. */
  const act = async (seconds: number, action: object) => {
    await memory.tasks.log("task-001", [{ timestamp: now.value, ...action }]);
    wait(seconds);
  };
  const run = (seconds: number, command: string, more: object = {}) =>
    act(seconds, { tool: "Bash", params: { command }, ...more });
  const edit = (path: string, reasoning?: string) =>
    act(20, { tool: "Edit", type: "edit", params: { file_path: path }, ...(reasoning && { reasoning }) });
  const reflections = async () => (await memory.tasks.history("task-001")).reflections;
  const { log, start, complete } = memory.tasks;
  return { run, edit, reflections, log, start, complete };
}

describe("an attempt that ran out of time", () => {
  it("says where the time went, what ran last, and what failed meanwhile", async () => {
    const { run, edit, complete } = await startedTask();
    await run(300, "make integration", { success: false, output: tscOutput("src/export.ts", 7) });
    await edit("src/export.ts");
    await run(240, "make integration");
    await run(40, "docker build .");
    const { reflection } = await complete("task-001", {
      outcome: "timeout",
      reason: "timed out after 600 s",
    });
    expect(reflection).toMatchObject({
      analysis: expect.stringMatching(
        /^Longest: `make integration` 9m \(90 %\) in 2 runs\. The last to run was `docker build \.`, 40s before the end\. Seen meanwhile: TS2322 at src\/export\.ts:7/,
      ),
      learning: expect.stringMatching(
        /^Of 10m, 9m \(90 %\) went into `make integration`\. Still to solve: TS2322/,
      ),
      action_items: ["Run only part of `make integration` at a time", "Look at src/export.ts:7"],
    });
  });

  it("passes on a reason that says more than the limit", async () => {
    const { complete } = await startedTask();
    const reason = "the suite waits for a port that nothing opens";
    expect((await complete("task-001", { outcome: "timeout", reason })).reflection?.learning).toBe(reason);
  });

  it.each([
    {},
    { reason: "10 min" },
    { reason: "timed out after 600 s" },
    { reason: "one hour limit reached" },
  ])("is not reflected on if nothing else is known: %j", async (result) => {
    const { complete, reflections } = await startedTask();
    expect(await complete("task-001", { outcome: "timeout", ...result })).not.toHaveProperty("reflection");
    expect(await reflections()).toEqual([]);
  });
});

describe("an attempt that failed", () => {
  it("is judged by the output of its last iteration if it has none of its own", async () => {
    const { log, complete } = await startedTask();
    await log("task-001", [{ iteration: 1, outcome: "failure", output: tscOutput("src/a.ts", 3) }]);
    const { reflection, attempt } = await complete("task-001", { outcome: "failure" });
    expect(reflection?.observation).toMatch(/^1 failure: TS2322 at src\/a\.ts:3/);
    expect(attempt.errors_encountered).toMatchObject([{ type: "TS2322" }]);
  });

  it("is not told again what its last iteration was told", async () => {
    const { log, edit, complete, start, reflections } = await startedTask();
    await edit("src/a.ts");
    const output = tscOutput("src/a.ts", 3);
    await log("task-001", [{ iteration: 1, outcome: "failure", output }]);
    const { reflection } = await complete("task-001", { outcome: "failure", output, limit: "2 USD" });
    expect(reflection?.learning).toMatch(/^Editing src\/a\.ts was not enough: TS2322/);
    expect(await reflections()).toMatchObject([
      { iteration: 1, learning: reflection?.learning },
      { reflection_type: "constraint-discovery", observation: "2 USD", learning: "" },
    ]);
    expect((await start("task-001")).reflections).toMatchObject([{ iteration: 1 }]);
  });

  it("names what was tried, edits and commands, and the failure once", async () => {
    const { run, edit, start, complete } = await startedTask();
    const fail = () => complete("task-001", { outcome: "failure", output: tscOutput("src/a.ts", 3) });
    await edit("src/a.ts");
    await fail();
    await start("task-001");
    await run(5, "git status");
    await edit("src/b.ts");
    await run(5, "npm run codegen");
    await run(5, "npm test", { success: false });
    expect((await fail()).reflection).toMatchObject({
      analysis: "Same failure as in attempt 1. src/a.ts was not edited.",
      learning:
        "Editing src/b.ts and running `npm run codegen` did not help: TS2322 at src/a.ts:3: Type 'string' is not assignable to type 'number'.",
      action_items: [
        "Edit src/a.ts, which was not touched",
        "Look at src/a.ts:3",
        "Run `npm test` again to check",
      ],
    });
  });

  it("is not told that it did not edit the test that failed, which only shows the failure", async () => {
    const { edit, complete } = await startedTask();
    await edit("src/total.js");
    const at = "at Object.<anonymous> (test/total.test.js:4:7)";
    const output = `FAIL test/total.test.js\n  ● adds up\n\n    expect(received).toBe(expected)\n\n      ${at}`;
    const { reflection } = await complete("task-001", { outcome: "failure", output });
    expect(reflection?.learning).toContain("test/total.test.js:4");
    expect(`${reflection?.analysis} ${reflection?.action_items}`).not.toMatch(/not edited|not touched/);
  });

  it("is not advised to edit what is installed", async () => {
    const { edit, complete } = await startedTask();
    await edit("src/a.ts");
    const output = tscOutput("node_modules/left-pad/index.ts", 3);
    const { reflection } = await complete("task-001", { outcome: "failure", output });
    expect(reflection?.learning).toContain("node_modules/left-pad/index.ts:3");
    expect(reflection?.action_items).toEqual([]);
  });
});

describe("the advice after a failure", () => {
  it.each([
    [
      "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
      /^What takes the memory/,
    ],
    ["Error: Cannot find module './parse.js'", /^Does \.\/parse\.js exist/],
    ["Error: Cannot find module 'left-pad'", /^Is left-pad installed/],
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'src/tax.js' imported from test/tax.test.js",
      /^Does src\/tax\.js exist/,
    ],
    [
      "Error: connect ECONNREFUSED 127.0.0.1:5432",
      /^Is the server that should listen on 127\.0\.0\.1:5432 running/,
    ],
  ])("asks what to check: %s", async (error, question) => {
    const { run, complete } = await startedTask();
    await run(5, "npm start", { success: false, error });
    const { reflection } = await complete("task-001", { outcome: "failure" });
    expect(reflection?.action_items[0]).toMatch(question);
  });
});

describe("an attempt that succeeded", () => {
  it("says which failure was solved by what", async () => {
    const { run, edit, complete } = await startedTask();
    await run(5, "npx tsc", { success: false, output: tscOutput("src/a.ts", 3) });
    await edit("src/a.ts", "The price is a number");
    await run(5, "npx tsc");
    const { reflection } = await complete("task-001", { outcome: "success" });
    expect(reflection?.learning).toMatch(
      /^The price is a number \(edit src\/a\.ts\); this solved: TS2322 at src\/a\.ts:3/,
    );
  });

  it("does not claim to have solved what an earlier iteration of the failed attempt had solved", async () => {
    const { log, start, complete } = await startedTask();
    const change = (iteration: number, path: string) => ({
      iteration,
      tool: "Edit",
      type: "edit" as const,
      success: true,
      timestamp: "2026-03-01T12:00:00.000Z",
      params: { file_path: path, old_string: "a", new_string: path },
    });
    const failed = (iteration: number, output: string) => ({ iteration, outcome: "failure", output });
    await log("task-001", [failed(1, tscOutput("src/a.ts", 3, "First.")), change(2, "src/a.ts")]);
    await log("task-001", [failed(2, "b.ts(4,1): error TS2554: Expected 1 argument.")]);
    await complete("task-001", { outcome: "failure" });
    await start("task-001");
    await log("task-001", [change(1, "src/b.ts"), { iteration: 1, outcome: "success" }]);
    const { reflection } = await complete("task-001", { outcome: "success" });
    expect(reflection?.learning).toContain("TS2554");
    expect(reflection?.learning).not.toContain("First.");
  });

  it("says what the failed attempt had not done", async () => {
    const { run, edit, start, complete } = await startedTask();
    await edit("src/a.ts");
    await run(5, "make types");
    await run(5, "make", { success: false });
    await complete("task-001", { outcome: "failure", output: tscOutput("src/a.ts", 3) });
    await start("task-001");
    await edit("src/types.ts", "Prices are numbers");
    await run(5, "make types");
    await run(5, "make schema");
    await run(5, "make");
    const { reflection } = await complete("task-001", {
      outcome: "success",
      whatWorked: ["Widen the type in src/types.ts", "Keep prices as numbers"],
    });
    expect(reflection).toMatchObject({
      analysis: expect.stringMatching(
        /^Editing src\/types\.ts \(Prices are numbers\) and running `make schema` solved what attempt 1 failed with: TS2322/,
      ),
      learning: "Widen the type in src/types.ts. Keep prices as numbers.",
    });
  });

  it("at once, with edits alone, leaves nothing to say", async () => {
    const { edit, complete, reflections } = await startedTask();
    await edit("src/a.ts");
    expect(await complete("task-001", { outcome: "success" })).not.toHaveProperty("reflection");
    expect(await reflections()).toEqual([]);
  });
});

describe("a completed task", () => {
  it("says what it took against its estimate, and what cost the extra attempts", async () => {
    const { edit, start, log, complete, reflections } = await startedTask({ estimated_iterations: 2 });
    await edit("src/a.ts");
    await complete("task-001", { outcome: "failure", output: tscOutput("src/a.ts", 3) });
    await start("task-001");
    await complete("task-001", { outcome: "timeout" });
    await start("task-001");
    await log("task-001", [
      { iteration: 1, outcome: "failure", output: tscOutput("src/b.ts", 1) },
      { iteration: 2, outcome: "success" },
    ]);
    await complete("task-001", { outcome: "success", whatWorked: ["Generate the types first"] });
    const [onAttempt, onTask] = (await reflections()).slice(-2);
    expect(onAttempt).toMatchObject({
      reflection_type: "success-pattern",
      learning: "Generate the types first",
    });
    expect(onTask).toMatchObject({
      reflection_type: "process-improvement",
      observation: "task-001 took 3 attempts and 3 iterations; 2 iterations had been estimated",
      analysis: expect.stringMatching(
        /^Attempt 1 failed with TS2322 at src\/a\.ts:3.* Attempt 2 ran out of time\.$/,
      ),
      learning: 'Tasks like "Export the invoices" take about 3 iterations, not 2',
    });
  });

  it("in one attempt without an estimate has no reflection of its own", async () => {
    const { complete, reflections } = await startedTask();
    await complete("task-001", { outcome: "success", whatWorked: ["Generate the types first"] });
    expect(await reflections()).toMatchObject([{ reflection_type: "success-pattern" }]);
  });
});

describe("ratings", () => {
  it("go to what the attempt was shown, and to nothing that says nothing", async () => {
    const { log, start, complete, reflections } = await startedTask();
    for (const iteration of [1, 2, 3])
      await log("task-001", [{ iteration, outcome: "failure", output: tscOutput(`src/${iteration}.ts`, 1) }]);
    await complete("task-001", { outcome: "failure", limit: "2 USD", output: tscOutput("src/3.ts", 1) });
    await start("task-001", { memory: 1 });
    await complete("task-001", { outcome: "failure", limit: "2 USD" });
    await start("task-001", { memory: 1 });
    await complete("task-001", { outcome: "success" });
    const rated = (await reflections()).map(({ attempt_id, iteration, effectiveness }) => [
      attempt_id,
      iteration,
      effectiveness,
    ]);
    expect(rated.slice(2, 5)).toEqual([
      [1, 3, undefined],
      [1, undefined, "helpful"],
      [2, undefined, undefined],
    ]);
  });
});
