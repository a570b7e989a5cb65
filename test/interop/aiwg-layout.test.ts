import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactDeep } from "../../src/text/secrets/redact.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { describeLayout, exportTo, type Files, read, take, write } from "./layout-contract.js";

/** By the published rule. */
const checksumOf = (list: unknown) => createHash("sha256").update(JSON.stringify(list)).digest("hex");

const learnings = [
  {
    id: "learn-abc123",
    type: "strategy",
    taskType: "test-fix",
    content: { description: "Write the failing test first", effectiveness: 0.85, iterations: 12, by: "x" },
    confidence: 0.85,
    sourceLoops: ["ralph-001", "ralph-003"],
    createdAt: "2026-02-01T15:00:00Z",
    updatedAt: "2026-02-03T10:30:00+01:00",
    useCount: 5,
    successRate: 0.85,
    reviewer: { name: "ada" },
  },
  {
    id: "learn-00ff00ff",
    type: "convention",
    taskType: "feature",
    content: { pattern: "Handlers live in src/routes", examples: ["src/routes/todos.ts"] },
    confidence: 0.7,
    sourceLoops: ["ralph-001"],
    createdAt: "2026-02-01T15:00:00Z",
    updatedAt: "2026-02-01T15:00:00Z",
    useCount: 0,
    successRate: 0.8,
  },
];

const staged = [
  {
    id: "stage-1234567890-0",
    learning: {
      type: "antipattern",
      taskType: "bug-fix",
      confidence: 0.6,
      successRate: 0,
      sourceLoops: ["ralph-002"],
      content: { description: "Retrying without reading the log", occurrences: 3, impact: "high" },
    },
    status: "pending",
    stagedAt: "2026-02-03T10:25:00Z",
  },
  {
    id: "stage-1234567890-1",
    learning: {
      type: "strategy",
      taskType: "bug-fix",
      confidence: 0.6,
      successRate: 0.9,
      sourceLoops: ["ralph-002"],
      content: { description: "Bisect the history" },
    },
    status: "validated",
    stagedAt: "2026-02-03T10:25:00Z",
    validatedAt: "2026-02-03T10:26:00Z",
  },
];

const document = (list: readonly unknown[]) => ({
  version: "1.0.0",
  checksum: checksumOf(list),
  lastUpdated: "2026-02-03T10:30:00Z",
  learnings: list,
  stats: { totalLearnings: 42, byType: { strategy: 42 }, byTaskType: {} },
  note: "kept",
});

const task = "2f4fb7a3-ba10-4cbd-8f7e-2f83558527ef";

const files: Files = {
  "knowledge/ralph-learnings.json": document(learnings),
  "knowledge/ralph-learnings.json.bak": JSON.stringify(document(learnings.slice(0, 1))),
  "knowledge/staging.json": {
    version: "1.0.0",
    checksum: checksumOf(staged),
    lastUpdated: "2026-02-03T10:30:00Z",
    staged,
  },
  "ralph-external/session-state.json": {
    loopId: "ralph-001",
    objective: "Make the authentication suite green",
    status: "completed",
    currentIteration: 2,
    startTime: 1770110000000,
    iterations: [
      {
        number: 1,
        status: "failed",
        duration: 42000,
        analysis: { progressMade: false, errors: ["Cannot read token"] },
        learnings: ["Write tests first"],
        filesModified: ["src/auth/login.ts"],
      },
    ],
    config: { maxIterations: 5 },
  },
  "ralph-external/iterations/iteration-002.json": {
    number: 2,
    status: "completed",
    learnings: ["Seed the token store"],
    endTime: "2026-02-03T09:00:00Z",
  },
  "ralph-external/prompts/001-prompt.md": "# Prompt\n",
  "ralph-external/outputs/001-stdout.log": "12 passing\n",
  "ralph-external/analysis/002-analysis.json": { progressMade: true, confidence: 0.9 },
  "ralph-external/reflections/reflection-10.json": { content: "Tokens expire at midnight" },
  "ralph/memory/task-index.json": {
    version: "1.0.0",
    last_updated: "2026-01-06T10:00:00.000Z",
    tasks: [
      { task_id: task, task_description: "Fix checkout total tests", timestamp: "2026-01-06T10:00:00Z" },
    ],
  },
  [`ralph/memory/tasks/${task}.json`]: {
    task_id: task,
    task_description: "Fix checkout total tests",
    timestamp: "2026-01-06T10:00:00Z",
    outcome: "success",
    iterations: 3,
    reflections: ["Use integer cents"],
    key_learnings: ["Money as integer cents"],
  },
};

const withLearnings = (list: readonly unknown[]) => ({
  ...files,
  "knowledge/ralph-learnings.json": document(list),
});

describeLayout({
  layout: "aiwg",
  files,
  counts: { learning: 2, staged: 2, task: 2, kept: 4 },
  found: [
    "failing test first",
    "Handlers live in src/routes",
    "authentication suite green",
    "checkout total tests",
  ],
  saying: (text) =>
    withLearnings(
      learnings.map((each) => ({ ...each, content: { ...each.content, description: text } })).slice(0, 1),
    ),
  json: "knowledge/ralph-learnings.json",
});

describe("learnings of aiwg", () => {
  it("that do not match their checksum are refused with what can be done instead, and taken by force", async () => {
    const memory = await openScratchMemory();
    const folder = write(files);
    const path = join(folder, "knowledge/ralph-learnings.json");
    writeFileSync(path, readFileSync(path, "utf8").replace("failing test", "passing test"));
    await expect(take(memory, { layout: "aiwg" }, folder)).rejects.toMatchObject({
      message: expect.stringContaining("does not match its checksum"),
      hint: expect.stringMatching(/--only backup.* 1 learnings.*--force/),
    });
    expect(await memory.learnings.list()).toEqual([]);
    await take(memory, { layout: "aiwg" }, folder, { only: ["backup"] });
    expect(await memory.learnings.list()).toMatchObject([{ id: "learn-abc123", origin: "import" }]);
    await take(memory, { layout: "aiwg" }, folder, { force: true });
    expect(await memory.learnings.list()).toHaveLength(2);
  });

  it("of which only the backup is left are read from it", async () => {
    const memory = await openScratchMemory();
    const path = "knowledge/ralph-learnings.json";
    const folder = write({ [`${path}.bak`]: JSON.stringify(files[path]) });
    const report = await take(memory, { layout: "aiwg" }, folder);
    expect(report.counts.learning).toEqual({ added: 2 });
    expect(report.leftOut).toEqual([`${path}: it is missing; its backup was imported instead`]);
  });

  it("that were changed there and say something else replace the older version, which is kept behind them", async () => {
    const memory = await openScratchMemory();
    await take(memory, { layout: "aiwg" }, write(files));
    const [first] = learnings;
    const later = {
      ...first,
      content: { description: "Never mock the clock" },
      updatedAt: "2027-01-01T00:00:00Z",
    };
    const report = await take(memory, { layout: "aiwg" }, write(withLearnings([later])));
    expect(report.superseded).toEqual([{ id: "learn-abc123", record: "learn-abc123", kept: "theirs" }]);
    expect(await memory.learnings.get("learn-abc123")).toMatchObject({
      content: { description: "Never mock the clock" },
    });
    expect((await memory.learnings.stats()).totalSize).toBe(3);
  });

  it("that were deleted here do not come back, and are not written back", async () => {
    const memory = await openScratchMemory();
    const folder = write(files);
    await take(memory, { layout: "aiwg" }, folder);
    await memory.learnings.delete("learn-abc123");
    await take(memory, { layout: "aiwg" }, folder);
    expect(await memory.learnings.list()).toHaveLength(1);
    const changed = withLearnings(learnings.map((each) => ({ ...each, useCount: 9 })));
    const { skipped } = await take(memory, { layout: "aiwg" }, write(changed));
    expect(skipped).toMatchObject([{ id: "learn-abc123", why: "it was deleted here" }]);
    const written = read(await exportTo(memory, "aiwg"))["knowledge/ralph-learnings.json"];
    expect(written).toMatchObject({ learnings: [{ id: "learn-00ff00ff" }] });
  });

  it("that were changed here are written with what changed, and a checksum that fits", async () => {
    const memory = await openScratchMemory();
    await take(memory, { layout: "aiwg" }, write(files));
    await memory.learnings.update("learn-abc123", { confidence: 0.9 });
    await memory.learnings.add({
      type: "strategy",
      taskType: "feature",
      confidence: 0.8,
      successRate: 0.9,
      sourceLoops: ["task-001"],
      content: { description: "Ship small steps" },
    });
    const folder = await exportTo(memory, "aiwg");
    const written = read(folder)["knowledge/ralph-learnings.json"] as ReturnType<typeof document>;
    expect(written.checksum).toBe(checksumOf(written.learnings));
    expect(written.learnings).toEqual([
      { ...learnings[0], confidence: 0.9, updatedAt: expect.any(String) },
      learnings[1],
      expect.objectContaining({ content: { description: "Ship small steps" } }),
    ]);
    expect(readFileSync(join(folder, "knowledge/ralph-learnings.json"), "utf8")).not.toMatch(/\n$/);
    await take(await openScratchMemory(), { layout: "aiwg" }, folder);
  });
});

describe("a loop of aiwg", () => {
  it("is a task with what its files tell about each iteration", async () => {
    const memory = await openScratchMemory();
    await take(memory, { layout: "aiwg" }, write(files));
    const [loop] = await memory.tasks.search({ text: "authentication suite" });
    const history = await memory.tasks.history(loop?.id ?? "");
    expect(history).toMatchObject({
      status: "completed",
      attempts: [
        {
          outcome: { status: "success", what_worked: ["Seed the token store"] },
          errors_encountered: [{ message: "Cannot read token" }],
          context: { files_involved: ["src/auth/login.ts"] },
          results: [{ iteration: 1, success: false }, { iteration: 2, success: true }, { iteration: 10 }],
        },
      ],
      reflections: [
        { iteration: 1, learning: "Write tests first" },
        { iteration: 2 },
        { iteration: 10, observation: "Tokens expire at midnight" },
      ],
    });
  });
});

describe("any tree of aiwg", () => {
  it("survives an import and an export", async () => {
    const word = fc.stringMatching(/^[a-zA-Z]{3,12}$/);
    const time = fc.date({ min: new Date("2024-01-01"), max: new Date("2026-01-01"), noInvalidDate: true });
    const fraction = fc.integer({ min: 0, max: 100 }).map((number) => number / 100);
    const learning = fc.record({
      id: fc.stringMatching(/^learn-[0-9a-f]{8}$/),
      type: fc.constantFrom("strategy", "antipattern", "estimate", "convention"),
      taskType: fc.constantFrom("feature", "bug-fix", "something-else"),
      content: fc
        .dictionary(word, fc.jsonValue({ maxDepth: 1 }))
        .map((more) => ({ description: "d", ...more })),
      confidence: fraction,
      sourceLoops: fc.array(word, { maxLength: 2 }),
      createdAt: time.map((each) => each.toISOString()),
      updatedAt: time.map((each) => each.toISOString().replace(".000Z", "Z")),
      useCount: fc.nat(20),
      successRate: fraction,
      extra: fc.jsonValue({ maxDepth: 2 }),
    });
    const loop = fc.record({
      loopId: word,
      objective: word,
      status: fc.constantFrom("completed", "failed", "running", "other"),
      iterations: fc.array(
        fc.record({ status: word, learnings: fc.array(word), analysis: fc.jsonValue({ maxDepth: 1 }) }),
        { maxLength: 3 },
      ),
      more: fc.jsonValue(),
    });
    const lists = fc.uniqueArray(learning, { selector: ({ id }) => id, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lists, loop, async (list, state) => {
        const given: Files = {
          "knowledge/ralph-learnings.json": document(list),
          "ralph-external/state.json": state,
        };
        // "Pw" with a text beside it is a password.
        fc.pre(isDeepStrictEqual(redactDeep(given), given));
        const memory = await openScratchMemory();
        await take(memory, { layout: "aiwg" }, write(given));
        expect(read(await exportTo(memory, "aiwg"))).toMatchObject(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: 8 },
    );
  });
});
