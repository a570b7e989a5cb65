import { get } from "node:http";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/memory/memory.js";
import { runsOf } from "../../src/memory/runs/runs.js";
import { thisRunner } from "../../src/processes/runner.js";
import { eventually } from "../support/eventually.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { type PageServer, startPage } from "../support/page-server.js";

async function openPage(memory: Memory) {
  const openAnew = () => openScratchMemory({ root: memory.project.root });
  const server: PageServer = await startPage(memory, { openAnew });
  const authorization = await server.visit();
  const read = async (path: string) => {
    const { status, text } = await server.ask(path, { headers: { authorization } });
    return { status, value: JSON.parse(text) };
  };
  const change = async (path: string, body: object = {}) => {
    const headers = { authorization, origin: server.origin, "content-type": "application/json" };
    const { status, text } = await server.ask(path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status, value: JSON.parse(text) };
  };
  return { ...server, authorization, read, change };
}

async function finishTask({ tasks }: Memory, description: string): Promise<string> {
  const { id } = await tasks.init({ description });
  await tasks.start(id, { agent: "tester" });
  await tasks.log(id, [
    { tool: "Edit", params: { file_path: "a.ts", old_string: "one", new_string: "one\ntwo" }, iteration: 1 },
    { tool: "Bash", params: { command: "npm test" }, success: false, output: "x".repeat(9000), iteration: 1 },
  ]);
  await tasks.endIteration(id, { iteration: 1, success: false, output: "TypeError: total is undefined" });
  await tasks.endIteration(id, { iteration: 2, success: true, output: "1 passed" });
  await tasks.complete(id, { outcome: "success", whatWorked: ["Load the cart first"] });
  return id;
}

describe("what the page reads", () => {
  it("is a list of tasks in pages, filtered, searched and counted", async () => {
    const memory = await openScratchMemory();
    for (let number = 1; number <= 7; number += 1) await memory.tasks.init({ description: `Task ${number}` });
    await finishTask(memory, "Fix the cart total");
    const { read } = await openPage(memory);
    const first = (await read("/api/tasks?rows=5")).value;
    const second = (await read("/api/tasks?rows=5&page=2")).value;
    const ids = [...first.rows, ...second.rows].map(({ id }: { id: string }) => id);
    expect(ids).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((number) => `task-00${number}`));
    expect(first.total).toBe(8);
    expect((await read("/api/tasks?status=completed")).value.rows.length).toBe(1);
    expect((await read("/api/tasks?q=cart")).value.rows[0].id).toBe("task-008");
    expect((await read("/api/tasks?status=nonsense")).status).toBe(400);
    expect((await read("/api/tasks?page=0")).status).toBe(400);
  });

  it("is a task as a timeline without gaps, with its diff stat, its failure and what resolved it", async () => {
    const memory = await openScratchMemory();
    const id = await finishTask(memory, "Fix the cart total");
    const { read } = await openPage(memory);
    const { value } = await read(`/api/tasks/${id}`);
    const [attempt] = value.attempts;
    expect(attempt.files).toEqual([{ path: "a.ts", added: 2, removed: 1 }]);
    const [first, second] = attempt.iterations;
    expect([first.success, second.success]).toEqual([false, true]);
    expect(first.from).toBe(attempt.started);
    expect(second.from).toBe(first.to);
    expect(attempt.errors[0].message).toContain("total is undefined");
    expect(attempt.reflections.length).toBeGreaterThan(0);
    const [, long] = first.actions;
    expect(long.output).toMatchObject({ isClipped: true, length: 9000 });
    const whole = await read(`/api/tasks/${id}/text?attempt=1&step=2&part=output`);
    expect(whole.value.text).toBe("x".repeat(9000));
    expect((await read("/api/tasks/task-999")).status).toBe(404);
  });

  it("has what was reflected on before the first attempt", async () => {
    const memory = await openScratchMemory();
    const { id } = await memory.tasks.init({ description: "Translate the mails" });
    await memory.tasks.reflect(id, { observation: "The mails come from a template" });
    const { read } = await openPage(memory);
    expect((await read(`/api/tasks/${id}`)).value.earlyReflections).toMatchObject([
      { observation: "The mails come from a template" },
    ]);
  });

  it("is text without what could move a cursor or turn the direction of writing, but raw where it is edited", async () => {
    const memory = await openScratchMemory();
    const content = "before \u202egnihtyna\u202c after <script>alert(1)</script>";
    const { note } = await memory.notes.add({ content });
    const { read } = await openPage(memory);
    expect((await read("/api/notes")).value.rows[0].content).toBe(
      content.replace(/[\u202e\u202c]/g, "\ufffd"),
    );
    expect((await read(`/api/notes/${note.id}`)).value.content).toBe(content);
  });

  it("is a brief as an agent would get it, with what was left out, and no trace of having looked", async () => {
    const memory = await openScratchMemory();
    await finishTask(memory, "Fix the cart total");
    await memory.notes.add({ content: "The cart is loaded by the session" });
    const { read } = await openPage(memory);
    const { value } = await read("/api/recall?objective=Fix+the+cart&error=TypeError&budget=400");
    expect(value.budgetTokens).toBe(400);
    expect(value.entries.length).toBeGreaterThan(0);
    expect(value.omitted).toBeInstanceOf(Array);
    expect((await read("/api/recall")).value.problem.message).toContain("objective");
  });

  it("is asked for by numbers and words that are checked, each with a line that says what it takes", async () => {
    const memory = await openScratchMemory();
    const id = await finishTask(memory, "Fix the cart total");
    const { read } = await openPage(memory);
    const wrong = {
      budget: [
        "/api/recall?objective=x&budget=",
        ["abc", "-1", "0", "1.5", "1e3", "Infinity", "9".repeat(20)],
      ],
      type: ["/api/recall?objective=x&type=", ["nonsense"]],
      "cross-task": ["/api/recall?objective=x&cross-task=", ["no"]],
      page: ["/api/tasks?page=", ["x", "-1", "0x10", "9".repeat(16)]],
      rows: ["/api/notes?rows=", ["all", "0"]],
      since: ["/api/tasks?since=", ["yesterday"]],
      archived: ["/api/tasks?archived=", ["yes"]],
      superseded: ["/api/learnings?superseded=", ["yes"]],
      evidence: ["/api/learnings?evidence=", ["much"]],
      attempt: [`/api/tasks/${id}/text?attempt=`, ["first"]],
      step: [`/api/tasks/${id}/text?step=`, ["last"]],
      iteration: [`/api/tasks/${id}/text?iteration=`, ["one"]],
      part: [`/api/tasks/${id}/text?part=`, ["all"]],
      from: [`/api/tasks/${id}/actions?from=`, ["end"]],
    } as const;
    for (const [name, [path, values]] of Object.entries(wrong))
      for (const value of values) {
        const { status, value: told } = await read(path + value);
        expect([path + value, status, told.problem?.message]).toEqual([
          path + value,
          400,
          expect.stringMatching(new RegExp(`^${name} is .*, not ${value}`)),
        ]);
      }
    expect((await read("/api/tasks?page=1000000000&rows=200")).value.rows).toEqual([]);
  });

  it("is whether memory helps, over time, and the health with the settings and where they come from", async () => {
    const memory = await openScratchMemory({ settings: "recall:\n  budget: 1234\n" });
    await finishTask(memory, "Fix the cart total");
    const { read } = await openPage(memory);
    const impact = (await read("/api/impact")).value;
    expect(impact.metrics.iterations_saved.verdict).toBe("too few tasks to tell");
    expect(impact.overTime.tasks.length).toBe(1);
    const health = (await read("/api/health")).value;
    expect(health.settings).toContainEqual({
      key: "recall.budget",
      value: 1234,
      origin: expect.stringContaining("ralph.yml"),
    });
    expect(health.records).toContainEqual({ kind: "tasks", count: 1 });
    expect(health.files).toContainEqual(
      expect.objectContaining({ what: "database", bytes: expect.any(Number) }),
    );
  });
});

describe("what the page changes", () => {
  it("are findings: accepted, reworded or rejected with a reason", async () => {
    const memory = await openScratchMemory();
    const finding = (description: string) => ({
      type: "strategy" as const,
      taskType: "general",
      content: { description, effectiveness: 0.8, iterations: 4 },
      confidence: 0.8,
      sourceLoops: ["task-001"],
      successRate: 1,
    });
    const staged = await memory.learnings.stage([
      finding("Write the test before the code"),
      finding("Use a seed for random tests"),
      finding("Restart the machine"),
    ]);
    const [first, second, third] = staged.map(({ id }) => id);
    const { read, change } = await openPage(memory);
    expect((await read("/api/review")).value.waiting.length).toBe(3);
    expect((await change(`/api/review/${first}/accept`)).status).toBe(200);
    expect(
      (await change(`/api/review/${second}/accept`, { statement: "Fix the seed of random tests" })).status,
    ).toBe(200);
    expect((await change(`/api/review/${third}/reject`)).status).toBe(400);
    expect((await change(`/api/review/${third}/reject`, { reason: "true of one day" })).status).toBe(200);
    const statements = (await memory.learnings.list()).map(({ content }) => content.description);
    expect(statements.sort()).toEqual(["Fix the seed of random tests", "Write the test before the code"]);
    const { waiting, rejected } = (await read("/api/review")).value;
    expect([waiting.length, rejected[0].rejectionReason]).toEqual([0, "true of one day"]);
  });

  it("are learnings: reworded and retired, and found by what they say", async () => {
    const memory = await openScratchMemory();
    const content = { description: "The build needs Node 18" };
    const { id } = await memory.learnings.add({ type: "fact", taskType: "general", content });
    const { read, change } = await openPage(memory);
    await change(`/api/learnings/${id}/reword`, { statement: "The build needs Node 20" });
    const page = (await read(`/api/learnings/${id}`)).value;
    expect([page.statement, page.evidence.verdict]).toEqual(["The build needs Node 20", "none"]);
    expect((await read("/api/learnings?q=build&evidence=none")).value.rows.length).toBe(1);
    expect((await read("/api/learnings?evidence=helps")).value.rows).toEqual([]);
    expect((await change(`/api/learnings/${id}/retire`)).status).toBe(200);
    expect((await read("/api/learnings")).value.total).toBe(0);
    expect((await read(`/api/learnings/${id}`)).status).toBe(404);
  });

  it("are notes: added, edited and deleted", async () => {
    const memory = await openScratchMemory();
    const { read, change } = await openPage(memory);
    const added = await change("/api/notes", { content: "Use pnpm", type: "decision", tags: ["tools"] });
    const { id } = added.value.note;
    await change(`/api/notes/${id}/edit`, { content: "Use npm", tags: [] });
    expect((await read(`/api/notes?type=decision`)).value.rows).toMatchObject([
      { content: "Use npm", tags: [] },
    ]);
    expect((await change(`/api/notes/${id}/edit`, { type: "nonsense" })).status).toBe(400);
    const late = await change(`/api/notes/${id}/edit`, { content: "Use yarn", was: "Use pnpm" });
    expect([late.status, late.value.problem.code]).toEqual([409, "merge-conflict"]);
    expect((await read(`/api/notes/${id}`)).value.content).toBe("Use npm");
    await change(`/api/notes/${id}/delete`);
    expect((await read("/api/notes")).value.total).toBe(0);
  });

  it("is nothing when it is only read: no memory is made by looking", async () => {
    const memory = await openScratchMemory();
    const { read } = await openPage(memory);
    for (const path of ["project", "now", "tasks", "learnings", "review", "notes", "impact"])
      expect([path, (await read(`/api/${path}`)).status]).toEqual([path, 200]);
    expect(await memory.init()).toEqual([
      expect.objectContaining({ isNew: true }),
      expect.objectContaining({ isNew: true }),
    ]);
  });
});

describe("what the page follows", () => {
  it("are the runs of the project, as soon as they change", async () => {
    const memory = await openScratchMemory();
    const task = await memory.tasks.init({ description: "Fix the cart total" });
    const { origin, authorization } = await openPage(memory);
    let heard = "";
    const listening = get(`${origin}/api/live`, { headers: { authorization } }, (response) => {
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        heard += piece;
      });
    });
    await eventually(() => heard.includes('{"runs":[]}'));
    const options = {
      ...{ verify: ["true"], agent: "tester", isAllAllowed: false, maxIterations: 3, attempts: 1 },
      ...{ timeoutMs: 1e6, iterationTimeoutMs: 1e6, idleTimeoutMs: 0, verifyTimeoutMs: 1e6 },
      ...{ isCrossTask: true, promise: "done" },
    };
    await runsOf(memory).begin(task.id, options, thisRunner());
    await eventually(() => heard.includes('"taskId":"task-001","state":"running"'));
    listening.destroy();
  });
});
