import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readLogEntry } from "../../../src/episodic/attempts/storable-action.js";
import type { Memory } from "../../../src/memory/memory.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { runnerOf } from "../../../src/processes/runner.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

async function open(root = scratchRepository()): Promise<Memory> {
  const memory = await openMemory({ root, environment: { RALPH_HOME: join(root, ".home") } });
  onTestFinished(() => memory.close());
  return memory;
}

const output = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../fixtures/tool-output", `${name}.txt`), "utf8");

describe("tasks", () => {
  it("are numbered as they come and keep what they were given", async () => {
    const memory = await open();
    const first = await memory.tasks.init({
      description: "Fix the login test",
      completion_criteria: "it passes",
      tags: ["auth"],
      agent: "eng-001",
    });
    const second = await memory.tasks.init({ description: "Write the guide" });
    expect([first.id, second.id]).toEqual(["task-001", "task-002"]);
    expect(await memory.tasks.history("task-1")).toMatchObject({
      id: "task-001",
      description: "Fix the login test",
      completion_criteria: "it passes",
      tags: ["auth"],
      agent: "eng-001",
      status: "running",
      current_attempt: 0,
      total_attempts: 0,
      attempts: [],
      reflections: [],
    });
  });

  it("are newest by when they were worked on, not by when they were recorded", async () => {
    const now = { value: "2026-03-01T10:00:00Z" };
    const memory = await openScratchMemory({ now });
    const record = async (description: string) => {
      const { id } = await memory.tasks.init({ description });
      await memory.tasks.start(id);
      await memory.tasks.complete(id, { outcome: "success" });
    };
    await record("Count the wombats of today");
    now.value = "2026-02-01T10:00:00Z";
    await record("Count the wombats of long ago");
    await record("Count the wombats of then");
    now.value = "2026-03-01T11:00:00Z";
    expect((await memory.tasks.list({ limit: 2 })).map(({ id }) => id)).toEqual(["task-001", "task-003"]);
    const { entries } = await memory.recall({ objective: "anything", isOverview: true });
    expect(entries.filter(({ kind }) => kind === "task")[0]).toMatchObject({ id: "task-001" });
  });

  it("are listed newest first, by status, tag and agent", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "a", tags: ["x"], agent: "one" });
    await memory.tasks.init({ description: "b", tags: ["y"] });
    await memory.tasks.pause("task-002");
    const ids = async (filter: object) => (await memory.tasks.list(filter)).map(({ id }) => id);
    expect(await ids({})).toEqual(["task-002", "task-001"]);
    expect(await ids({ statuses: ["paused"] })).toEqual(["task-002"]);
    expect(await ids({ tags: ["X"] })).toEqual(["task-001"]);
    expect(await ids({ agent: "one" })).toEqual(["task-001"]);
    await expect(memory.tasks.pause("task-002")).rejects.toMatchObject({ code: "wrong-use" });
    expect(await memory.tasks.continue("task-002")).toMatchObject({ status: "running" });
  });

  it("that are unknown are refused with the nearest ids", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "a" });
    await expect(memory.tasks.start("task-7")).rejects.toMatchObject({
      code: "not-found",
      hint: "known: task-001",
    });
    for (const description of ["b", "c", "d"]) await memory.tasks.init({ description });
    for (const id of ["nope", "task-7"])
      await expect(memory.tasks.start(id)).rejects.toMatchObject({
        hint: "the last of 4: task-002, task-003, task-004",
      });
    await expect(memory.tasks.init({ description: "  " })).rejects.toMatchObject({ code: "wrong-use" });
  });
});

describe("attempts", () => {
  it("run one at a time, and one after the other", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "a" });
    await expect(memory.tasks.log("task-001", [])).rejects.toThrow(/no attempt yet/);
    await memory.tasks.start("task-001", { runner: runnerOf(process.pid) });
    await expect(memory.tasks.start("task-001")).rejects.toThrow(/Attempt 1 of task-001 is still running/);
    await memory.tasks.complete("task-001", { outcome: "failure" });
    await expect(memory.tasks.complete("task-001", { outcome: "failure" })).rejects.toThrow(
      /ended as failure/,
    );
    await expect(memory.tasks.log("task-001", entries({ tool: "Bash" }))).rejects.toThrow(/ended as failure/);
    expect((await memory.tasks.start("task-001")).attemptId).toBe(2);
    await expect(memory.tasks.complete("task-001", { outcome: "great" as never })).rejects.toThrow(
      /Unknown outcome/,
    );
  });

  it("whose process is gone are marked as interrupted by the next start", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "a" });
    const { spawnSync } = await import("node:child_process");
    await memory.tasks.start("task-001", { runner: runnerOf(spawnSync(process.execPath, ["-e", "0"]).pid) });
    await memory.tasks.start("task-001");
    const { attempts } = await memory.tasks.history("task-001");
    expect(attempts.map(({ outcome }) => outcome?.reason)).toEqual(["interrupted", undefined]);
  });

  it("keep actions, milestones and qualities, and log nothing twice", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "a" });
    await memory.tasks.start("task-001");
    const log = entries(
      {
        tool: "Bash",
        type: "bash",
        params: { command: "curl -u admin:hunter2 x" },
        success: false,
        error: "e",
        idempotency_key: "1",
      },
      { tool: "WebFetch", iteration: 2, output: "y".repeat(70_000) },
      { event: "half way", details: "ok" },
      { iteration: 1, quality: 0.25 },
      { iteration: 2, quality: 0.75 },
    );
    expect(await memory.tasks.log("task-001", log)).toEqual({ logged: 5, duplicates: 0 });
    expect(await memory.tasks.log("task-001", log.slice(0, 1))).toEqual({ logged: 0, duplicates: 1 });
    const [attempt] = (await memory.tasks.history("task-001")).attempts;
    expect(attempt?.execution).toMatchObject({
      iterations: 2,
      actions_performed: 2,
      quality_history: [
        { iteration: 1, quality: 0.25, delta: 0.25 },
        { iteration: 2, quality: 0.75, delta: 0.5 },
      ],
    });
    expect(attempt?.actions[0]).toMatchObject({
      type: "bash",
      success: false,
      params: { command: "curl -u admin:[redacted:basic-credentials] x" },
    });
    expect(attempt?.actions[1]).not.toHaveProperty("type");
    expect(attempt?.actions[1]?.output).toContain("of 70000 characters left out");
    expect(attempt?.milestones).toEqual([
      { timestamp: "2026-01-01T00:00:00.000Z", event: "half way", details: "ok" },
    ]);
  });

  it.each([
    7,
    null,
    [],
    {},
    { tool: "" },
    { tool: "x", params: [] },
    { tool: "x", timestamp: "never" },
    { quality: 2 },
  ])("refuse %j as an entry of their log", (raw) => {
    expect(() => readLogEntry(raw, "")).toThrow(/A log entry/);
  });
});

describe("reflections", () => {
  it("name the failure, compare with the attempt before, and enter the next plan", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "Fix the discount" });
    await memory.tasks.start("task-001");
    await memory.tasks.log(
      "task-001",
      entries({ tool: "Edit", type: "edit", params: { file_path: "src/total.js" } }),
    );
    const first = await memory.tasks.complete("task-001", { outcome: "failure", output: output("jest") });
    expect(first.reflection).toMatchObject({
      triggered_by: "failure",
      reflection_type: "error-analysis",
      observation: expect.stringContaining(
        'test "cart › applies a discount" at test/cart.test.js:4: expected 8, received 2',
      ),
      // The test shows the failure; that it was not edited is no cause.
      analysis: "",
    });
    const second = await memory.tasks.start("task-001");
    expect(second.reflections).toEqual([first.reflection]);
    expect(second.plan.steps[0]).toContain("Look at test/cart.test.js:4");
    expect(second.planText).toContain("## What earlier attempts taught");
    const again = await memory.tasks.complete("task-001", { outcome: "failure", output: output("jest") });
    expect(again.reflection?.analysis).toBe("Same failure as in attempt 1");
    await memory.tasks.start("task-001");
    const other = await memory.tasks.complete("task-001", { outcome: "failure", output: output("tsc") });
    expect(other.reflection?.analysis).toMatch(
      /^A new failure; attempt 2 had test "cart › applies a discount"/,
    );
    await memory.tasks.start("task-001");
    await memory.tasks.log(
      "task-001",
      entries({ tool: "Edit", type: "edit", params: { file_path: "bad.ts" } }),
    );
    const done = await memory.tasks.complete("task-001", { outcome: "success", quality: 1 });
    expect(done.reflection).toMatchObject({
      reflection_type: "success-pattern",
      learning: expect.stringMatching(/^Edit bad\.ts; this solved: TS2322 at bad\.ts:2: /),
    });
    const { status, reflections } = await memory.tasks.history("task-001");
    expect(status).toBe("completed");
    expect(reflections.at(-1)).toMatchObject({
      reflection_type: "process-improvement",
      triggered_by: "success",
      observation: expect.stringContaining("task-001 took 4 attempts"),
    });
  });

  it("are not written when nothing is known", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "a" });
    await memory.tasks.start("task-001");
    expect(await memory.tasks.complete("task-001", { outcome: "failure" })).not.toHaveProperty("reflection");
    expect((await memory.tasks.history("task-001")).reflections).toEqual([]);
  });

  it("start an attempt within the window that was asked for", async () => {
    const memory = await open();
    await memory.tasks.init({ description: "a" });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await memory.tasks.start("task-001");
      await memory.tasks.complete("task-001", { outcome: "failure", reason: `reason ${attempt}` });
    }
    const { reflections } = await memory.tasks.start("task-001", { memory: 2 });
    expect(reflections.map(({ observation }) => observation)).toEqual(["reason 4", "reason 5"]);
    await memory.tasks.complete("task-001", { outcome: "failure" });
    expect((await memory.tasks.start("task-001")).reflections).toHaveLength(3);
    const byHand = await memory.tasks.reflect("task-001", {
      observation: "The port is taken",
      reflection_type: "constraint-discovery",
    });
    expect(byHand).toMatchObject({ triggered_by: "manual", learning: "The port is taken", attempt_id: 7 });
  });
});
