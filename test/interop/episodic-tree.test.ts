import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEpisodicTree, writeEpisodicTree } from "../../src/interop/episodic/layout.js";
import type { Memory } from "../../src/memory/memory.js";
import { entries, openScratchMemory, tscOutput } from "../support/open-scratch-memory.js";
import { scratchFolder } from "../support/scratch.js";
import { writeWordVectors } from "../support/word-vectors.js";

const read = (directory: string) => readEpisodicTree(directory);

function skippedIn(directory: string): string[] {
  const skipped: string[] = [];
  readEpisodicTree(directory, { onSkipped: (part) => skipped.push(part) });
  return skipped;
}

/** A tree with one failed task of two attempts and the given files, as another program may have written it. */
function foreignTree(files: Record<string, unknown>): string {
  const directory = scratchFolder();
  const all = {
    "tasks/task-007/metadata.json": { description: "d", created: "2026-01-01T00:00:00Z", status: "failed" },
    "tasks/task-007/attempts/001/attempt.json": { started: "2026-01-01T00:01:00Z" },
    "tasks/task-007/attempts/002/attempt.json": { started: "2026-01-01T00:02:00Z" },
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    const full = join(directory, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, typeof content === "string" ? content : JSON.stringify(content));
  }
  return directory;
}
const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));

async function histories(memory: Memory) {
  const tasks = await memory.tasks.list({ includesArchived: true });
  return Promise.all(tasks.map(({ id }) => memory.tasks.history(id, { isFull: true })));
}

async function exampleMemory(): Promise<Memory> {
  const memory = await openScratchMemory({
    settings: "memory_config:\n  auto_scaling:\n    enabled: true\n",
    environment: { RALPH_AS: "Ann" },
  });
  await memory.tasks.init({
    description: "Fix the build",
    completion_criteria: "it compiles",
    tags: ["ci"],
    agent: "eng-001",
    phase: "development",
    constraints: ["No new dependencies"],
  });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await memory.tasks.start("task-001", { plan: { steps: ["Look"], estimated_iterations: 2 } });
    await memory.tasks.log(
      "task-001",
      entries(
        { tool: "Edit", type: "edit", params: { file_path: "a.ts" }, reasoning: "r", expected_outcome: "e" },
        { tool: "Bash", params: { command: "tsc" }, success: false, error: "x\ny", output: "ä\n" },
        { event: "half way", details: "d" },
        { iteration: 1, outcome: "failure", quality: 0.3, output: tscOutput("a.ts", 2) },
      ),
    );
    await memory.tasks.endIteration("task-001", { iteration: 1, said: "Not yet\n", trouble: "killed" });
    await memory.tasks.complete("task-001", {
      outcome: attempt === 0 ? "failure" : "success",
      output: tscOutput("a.ts", 2),
      completionPercent: 50,
      artifacts: ["dist/a.js"],
      gitCommit: "abc123",
    });
  }
  await memory.tasks.rate("task-001", "helpful");
  await memory.tasks.init({ description: "Write the guide", related_tasks: ["task-001"] });
  return memory;
}

describe("the tree of episodic files", () => {
  it("has the published layout", async () => {
    const directory = scratchFolder();
    await writeEpisodicTree(await exampleMemory(), directory);
    const files = (readdirSync(directory, { recursive: true }) as string[]).sort();
    const attempt = (number: string) => [
      `tasks/task-001/attempts/${number}`,
      `tasks/task-001/attempts/${number}/actions.jsonl`,
      `tasks/task-001/attempts/${number}/attempt.json`,
      `tasks/task-001/attempts/${number}/outcome.json`,
      `tasks/task-001/attempts/${number}/plan.md`,
      `tasks/task-001/attempts/${number}/results`,
      `tasks/task-001/attempts/${number}/results/iter-001`,
      `tasks/task-001/attempts/${number}/results/iter-001/output.txt`,
      `tasks/task-001/attempts/${number}/results/iter-001/result.json`,
    ];
    const task = (id: string) =>
      ["attempts", "metadata.json", "reflections.jsonl", "summary.json", "trajectory.json"].map(
        (name) => `tasks/${id}/${name}`,
      );
    expect(files).toEqual(
      [
        "index",
        "index/by-agent.json",
        "index/by-status.json",
        "index/embeddings",
        "tasks",
        "tasks/task-001",
        "tasks/task-002",
        ...task("task-001"),
        ...task("task-002"),
        ...attempt("001"),
        ...attempt("002"),
      ].sort(),
    );
    expect(json(directory, "tasks/task-001/metadata.json")).toMatchObject({
      id: "task-001",
      description: "Fix the build",
      completion_criteria: "it compiles",
      status: "completed",
      current_attempt: 2,
      total_attempts: 2,
      tags: ["ci"],
    });
    expect(json(directory, "tasks/task-001/trajectory.json")).toMatchObject({
      task_id: "task-001",
      attempts: [
        { attempt_id: 1, outcome: "failure", actions: 2, iterations: 1, plan: "Fix the build" },
        { attempt_id: 2, outcome: "success", actions: 2, iterations: 1 },
      ],
      milestones: [{ event: "half way" }, { event: "half way" }],
      final_quality: 0.3,
      completion_percent: 50,
    });
    expect(json(directory, "tasks/task-001/attempts/001/attempt.json")).toMatchObject({
      id: 1,
      task_id: "task-001",
      plan: { steps: expect.arrayContaining(["Look"]), estimated_iterations: 2 },
      execution: {
        agent: "eng-001",
        iterations: 1,
        actions_performed: 2,
        quality_history: [{ quality: 0.3 }],
      },
      context: { goal: "Fix the build", phase: "development", constraints: ["No new dependencies"] },
      errors_encountered: [{ type: "TS2322" }],
      artifacts_produced: ["dist/a.js"],
      git_commit: "abc123",
    });
    expect(json(directory, "tasks/task-001/summary.json")).toMatchObject({
      outcome: "success",
      attempts: 2,
      iterations: 2,
      actions: 4,
      agents: ["eng-001"],
    });
    expect(json(directory, "index/by-status.json")).toEqual({
      running: ["task-002"],
      paused: [],
      completed: ["task-001"],
      failed: [],
    });
    expect(json(directory, "index/by-agent.json")).toEqual({ "eng-001": ["task-001"] });
  });

  it("lists a task under every agent that worked on it, and its vector where there is an embedder", async () => {
    const memory = await openScratchMemory({ settings: "embedder:\n  use: static\n  path: words.txt\n" });
    writeWordVectors(memory.project.root);
    await memory.tasks.init({ description: "Restart the database", agent: "eng-001" });
    await memory.tasks.start("task-001", { agent: "eng-002" });
    await memory.tasks.complete("task-001", { outcome: "success" });
    await memory.embed();
    const directory = scratchFolder();
    await writeEpisodicTree(memory, directory);
    expect(json(directory, "index/by-agent.json")).toEqual({
      "eng-001": ["task-001"],
      "eng-002": ["task-001"],
    });
    expect((await memory.tasks.list({ agent: "eng-002" })).map(({ id }) => id)).toEqual(["task-001"]);
    expect(json(directory, "index/embeddings/task-001.json")).toMatchObject({
      task_id: "task-001",
      embedding: expect.any(Array),
    });
    expect(read(directory)).toHaveLength(1);
  });

  it("is read back to equal records", async () => {
    const directory = scratchFolder();
    const memory = await exampleMemory();
    await writeEpisodicTree(memory, directory);
    const other = await openScratchMemory();
    const { restored, known } = await other.tasks.restore(read(directory));
    expect([restored.length, known.length]).toEqual([2, 0]);
    expect(skippedIn(directory)).toEqual([]);
    expect(await histories(other)).toEqual(await histories(memory));
    expect(await other.tasks.search({ text: "guide" })).toMatchObject([{ id: "task-002" }]);
    expect((await other.tasks.restore(read(directory))).known).toEqual(["task-001", "task-002"]);
    expect(await histories(other)).toEqual(await histories(memory));
  });

  it("is read back to equal records whatever was recorded", async () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });
    const action = fc.record({
      tool: text,
      params: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 })),
      success: fc.boolean(),
      output: text,
      reasoning: text,
    });
    const task = fc.record({
      description: text.filter((each) => each.trim() !== ""),
      actions: fc.array(action, { maxLength: 4 }),
      reason: text,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(task, { minLength: 1, maxLength: 10, size: "max" }), async (tasks) => {
        const memory = await openScratchMemory();
        for (const { description, actions, reason } of tasks) {
          const { id } = await memory.tasks.init({ description });
          await memory.tasks.start(id);
          await memory.tasks.log(id, entries(...actions));
          await memory.tasks.complete(id, { outcome: "failure", reason });
        }
        const directory = scratchFolder();
        await writeEpisodicTree(memory, directory);
        const other = await openScratchMemory();
        await other.tasks.restore(read(directory));
        expect(await histories(other)).toEqual(await histories(memory));
      }),
      { numRuns: 6 },
    );
  });

  it("can be imported next to existing tasks: taken numbers are replaced", async () => {
    const directory = scratchFolder();
    await writeEpisodicTree(await exampleMemory(), directory);
    const other = await openScratchMemory();
    await other.tasks.init({ description: "Mine" });
    const { restored } = await other.tasks.restore(read(directory));
    expect(restored).toEqual([
      { from: "task-001", task_id: "task-002" },
      { from: "task-002", task_id: "task-003" },
    ]);
    expect(await other.tasks.history("task-003")).toMatchObject({
      description: "Write the guide",
      related_tasks: ["task-002"],
    });
    expect(await other.tasks.history("task-001")).toMatchObject({ description: "Mine" });
  });

  it("of another program needs only what the published schema requires", () => {
    const directory = scratchFolder();
    const write = (path: string, content: string) => {
      const full = join(directory, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
    };
    write(
      "tasks/task-007/metadata.json",
      '{"id":"task-007","description":"d","created":"2026-01-01T00:00:00Z","status":"failed"}',
    );
    write(
      "tasks/task-007/attempts/001/attempt.json",
      '{"id":1,"started":"2026-01-01T00:00:00Z","ended":"2026-01-01T00:01:00Z","execution":{"iterations":2,"quality_history":[{"iteration":1,"quality":0.5,"delta":0.5}]}}',
    );
    write("tasks/task-007/attempts/001/outcome.json", '{"status":"failure","reason":"r"}');
    write(
      "tasks/task-007/attempts/001/actions.jsonl",
      '{"timestamp":"2026-01-01T00:00:01Z","iteration":1,"type":"bash","params":{"command":"ls"},"success":true}\n',
    );
    expect(read(directory)).toMatchObject([
      {
        id: "task-007",
        attempts: [
          {
            outcome: { status: "failure", reason: "r" },
            results: [{ iteration: 1, quality: 0.5 }],
            actions: [{ type: "bash", tool: "bash", params: { command: "ls" } }],
          },
        ],
      },
    ]);
  });

  it("of another program keeps qualities beside iterations without results", () => {
    const directory = foreignTree({
      "tasks/task-007/attempts/001/attempt.json": {
        started: "2026-01-01T00:01:00Z",
        execution: {
          quality_history: [
            { iteration: 1, quality: 0.5, delta: 0.5 },
            { iteration: 3, quality: 0.7, delta: 0.2 },
          ],
        },
      },
      "tasks/task-007/attempts/001/results/iter-001/.keep": "",
      "tasks/task-007/attempts/001/results/iter-002/output.txt": "ok\n",
    });
    expect(read(directory)[0]?.attempts[0]?.results).toEqual([
      { iteration: 1, quality: 0.5 },
      { iteration: 2, output: "ok\n" },
      { iteration: 3, quality: 0.7 },
    ]);
    expect(skippedIn(directory)).toEqual([]);
  });

  it("of another program keeps what two files say about an outcome, and tells where they differ", () => {
    const attempt = { started: "2026-01-01T00:01:00Z", ended: "2026-01-01T00:02:00Z" };
    const directory = foreignTree({
      "tasks/task-007/attempts/001/attempt.json": {
        ...attempt,
        outcome: { status: "failure", reason: "tests", what_worked: ["a", "b"] },
      },
      "tasks/task-007/attempts/001/outcome.json": {
        status: "timeout",
        final_quality: 0.4,
        what_worked: ["b", "c"],
        suggestions_for_next_time: ["d"],
      },
    });
    expect(read(directory)[0]?.attempts[0]?.outcome).toEqual({
      status: "timeout",
      reason: "tests",
      final_quality: 0.4,
      what_worked: ["b", "c", "a"],
      what_didnt_work: [],
      suggestions_for_next_time: ["d"],
    });
    expect(skippedIn(directory)).toContain(
      'tasks/task-007/attempts/001/outcome.json: "status" of attempt.json ("failure") differs',
    );
  });

  it("of another program keeps what only its trajectory tells", async () => {
    const directory = foreignTree({
      "tasks/task-007/trajectory.json": {
        task_id: "task-007",
        attempts: [
          {
            ...{ attempt_id: 1, ended: "2026-01-01T00:01:30Z", outcome: "failure" },
            ...{ plan: "first try", actions: 4, iterations: 2 },
          },
          { attempt_id: 2, outcome: "success" },
        ],
        milestones: [
          { timestamp: "2026-01-01T00:01:10Z", event: "built" },
          { timestamp: "2026-01-01T00:02:10Z", event: "tested" },
        ],
        final_quality: 0.9,
        completion_percent: 80,
      },
    });
    expect(skippedIn(directory)).toEqual([]);
    const memory = await openScratchMemory();
    await memory.tasks.restore(read(directory));
    const { attempts } = await memory.tasks.history("task-007");
    expect(attempts).toMatchObject([
      {
        ended: "2026-01-01T00:01:30.000Z",
        outcome: { status: "failure" },
        plan: { approach: "first try" },
        execution: { actions_performed: 4, iterations: 2 },
        milestones: [{ event: "built" }],
      },
      {
        outcome: { status: "success", final_quality: 0.9, completion_percent: 80 },
        milestones: [{ event: "tested" }],
      },
    ]);
  });

  it("of another program may have tasks with names, and reflections that say little", async () => {
    const directory = foreignTree({
      "tasks/fix-login/metadata.json": {
        description: "Fix the login",
        created: "2026-01-01T00:00:00Z",
        status: "paused",
        related_tasks: ["task-007"],
      },
      "tasks/fix-login/reflections.jsonl": {
        timestamp: "2026-01-01T00:00:00Z",
        attempt_id: 1,
        learning: "Types first",
      },
    });
    const memory = await openScratchMemory();
    const { restored } = await memory.tasks.restore(read(directory));
    expect(restored.map(({ from }) => from)).toEqual(["fix-login", "task-007"]);
    const { task_id: id = "" } = restored.find(({ from }) => from === "fix-login") ?? {};
    expect(await memory.tasks.history(id)).toMatchObject({
      description: "Fix the login",
      reflections: [{ observation: "Types first", triggered_by: "manual" }],
    });
  });

  it("of another program is taken over with a line about all that has no place here", () => {
    const action = { timestamp: "2026-01-01T00:00:01Z", type: "web", tool: "Fetch", duration: 3 };
    const directory = foreignTree({
      "tasks/README.md": "",
      "tasks/task-007/metadata.json": {
        ...{ description: "d", created: "2026-01-01T00:00:00Z", status: "failed" },
        ...{ priority: "high", total_attempts: 3 },
      },
      "tasks/task-007/attempts/001/attempt.json": {
        started: "2026-01-01T00:01:00Z",
        ended: "2026-01-01T00:02:00Z",
        execution: { agent: "a", cost: 3 },
      },
      "tasks/task-007/attempts/001/actions.jsonl": `${JSON.stringify(action)}\n${JSON.stringify(action)}\n`,
      "tasks/task-007/attempts/001/results/iter-001/diff.patch": "",
      "tasks/task-007/attempts/draft/notes.md": "",
    });
    expect(skippedIn(directory).sort()).toEqual([
      "tasks/README.md: not part of the layout",
      'tasks/task-007/attempts/001/actions.jsonl: field "duration" of 2 records',
      'tasks/task-007/attempts/001/actions.jsonl: type "web" of 2 records',
      'tasks/task-007/attempts/001/attempt.json: field "ended": there is no outcome',
      'tasks/task-007/attempts/001/attempt.json: field "execution.cost"',
      "tasks/task-007/attempts/001/results/iter-001/diff.patch: not part of the layout",
      "tasks/task-007/attempts/draft: not part of the layout",
      'tasks/task-007/metadata.json: field "priority"',
      "tasks/task-007/metadata.json: it counts 3 attempts, the last in the tree is 2",
    ]);
  });

  it.each<[string, (task: string) => void, RegExp]>([
    [
      "truncated",
      (task) => writeFileSync(join(task, "metadata.json"), '{"id": "task-0'),
      /metadata\.json is cut: its JSON ends too early/,
    ],
    [
      "without a status",
      (task) => writeFileSync(join(task, "metadata.json"), '{"description":"d","created":"2026-01-01"}'),
      /has no "status"/,
    ],
    [
      "with a wrong time",
      (task) =>
        writeFileSync(join(task, "metadata.json"), '{"description":"d","created":"soon","status":"failed"}'),
      /"created" is not a timestamp/,
    ],
    [
      "with a wrong line",
      (task) => writeFileSync(join(task, "reflections.jsonl"), "{}\n"),
      /reflections\.jsonl, line 1 has no "timestamp"/,
    ],
    [
      "without an attempt's file",
      (task) => rmSync(join(task, "attempts/001/attempt.json")),
      /attempt\.json is missing/,
    ],
    [
      "with a link that points outside",
      (task) => {
        rmSync(join(task, "attempts/001/plan.md"));
        symlinkSync("/etc/hostname", join(task, "attempts/001/plan.md"));
      },
      /plan\.md is a link, which is not followed/,
    ],
  ])("that is %s is refused by name", async (_name, damage, message) => {
    const directory = scratchFolder();
    await writeEpisodicTree(await exampleMemory(), directory);
    damage(join(directory, "tasks/task-001"));
    expect(() => read(directory)).toThrow(message);
  });

  it("does not overwrite another one without force", async () => {
    const directory = scratchFolder();
    const memory = await exampleMemory();
    await writeEpisodicTree(memory, directory);
    await expect(writeEpisodicTree(memory, directory)).rejects.toMatchObject({ code: "already-exists" });
    expect(await writeEpisodicTree(memory, directory, { force: true })).toEqual({ tasks: 2 });
    expect(existsSync(join(directory, "tasks/task-001/metadata.json"))).toBe(true);
    expect(() => read(scratchFolder())).toThrow(/No tasks in/);
  });
});
