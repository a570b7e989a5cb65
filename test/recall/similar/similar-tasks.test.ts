import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { entries, openScratchMemory, tscOutput } from "../../support/open-scratch-memory.js";

interface Done {
  description: string;
  outcome?: "success" | "failure";
  files?: string[];
  quality?: number;
  worked?: string;
}

async function finish(
  memory: Memory,
  { description, outcome = "success", files = [], quality, worked }: Done,
) {
  const { id } = await memory.tasks.init({ description, tags: ["auth"] });
  await memory.tasks.start(id);
  await memory.tasks.log(
    id,
    entries(...files.map((file) => ({ tool: "Edit", params: { file_path: file }, iteration: 2 }))),
  );
  await memory.tasks.complete(id, {
    outcome,
    ...(worked && { whatWorked: [worked] }),
    ...(quality !== undefined && { quality }),
  });
  return id;
}

const login = {
  description: "Fix the flaky login test: the session times out before the redirect",
  files: ["test/login.test.ts", "src/auth/session.ts"],
};
const invoices = {
  description: "Render invoices as PDF with the company logo",
  files: ["src/billing/invoice-pdf.ts"],
};

describe("similar tasks", () => {
  it("are told apart from unrelated ones in a store of two", async () => {
    const memory = await openScratchMemory();
    const id = await finish(memory, login);
    await finish(memory, invoices);
    const found = await memory.tasks.similar({ objective: "Login test fails because the session times out" });
    expect(found.map(({ task_id }) => task_id)).toEqual([id]);
    expect(found[0]?.similarity).toBeGreaterThanOrEqual(0.7);
    expect(found[0]?.parts).toMatchObject({ file: "test/login.test.ts" });
    expect(found[0]?.parts.words).toContain("login");
    for (const objective of [
      "Upgrade the Docker image to Node 22",
      "Fix the test of the parser",
      "Add a dark theme to the settings page",
    ]) {
      expect(await memory.tasks.similar({ objective })).toEqual([]);
    }
  });

  it("stay similar when each has a number of its own, however many there are", async () => {
    const memory = await openScratchMemory();
    for (let step = 1; step <= 8; step += 1)
      await finish(memory, { description: `Migrate the invoices to the ledger, part ${step}` });
    const found = await memory.tasks.similar({ objective: "Migrate the invoices to the ledger, part 9" });
    expect(found).toHaveLength(3);
  });

  it("need no files when their first lines say nearly the same", async () => {
    const memory = await openScratchMemory();
    await finish(memory, { description: "Retry uploads to the bucket after a network timeout" });
    await finish(memory, { description: "Speed up the nightly backup" });
    const again = await memory.tasks.similar({ objective: "Uploads to the bucket need a retry on timeout" });
    expect(again).toMatchObject([{ task_id: "task-001" }]);
    expect(await memory.tasks.similar({ objective: "Retry the payment webhook" })).toEqual([]);
  });

  it("are of one family when their objectives differ in a slot", async () => {
    const memory = await openScratchMemory();
    for (const name of ["todos", "labels", "users", "notes"])
      await finish(memory, {
        description: `Implement GET /api/${name} endpoint`,
        files: [`src/routes/${name}.ts`],
      });
    const found = await memory.tasks.similar({ objective: "Implement GET /api/comments endpoint", topK: 4 });
    expect(found).toHaveLength(4);
    expect(await memory.tasks.similar({ objective: "Move the api client to its own file" })).toEqual([]);
  });

  it("are recognised in a store of a few tasks, where common words say nothing", async () => {
    const memory = await openScratchMemory();
    const pool = await finish(memory, { description: "Fix failing database pool tests" });
    const docker = await finish(memory, { description: "Fix Docker build" });
    const readme = await finish(memory, {
      description: "Document the API in README",
      files: ["README.md"],
    });
    await finish(memory, { description: "Add a page for profiles" });
    const idsFor = async (objective: string) =>
      (await memory.tasks.similar({ objective })).map(({ task_id }) => task_id);
    expect(await idsFor("Fix failing database tests")).toEqual([pool]);
    expect(await idsFor("Fix Docker build in CI")).toEqual([docker]);
    const [section] = await memory.tasks.similar({ objective: "Write a README section about notifications" });
    expect(section?.task_id).toBe(readme);
    expect(section?.similarity).toBeLessThan(0.95);
    for (const objective of [
      "Fix the id of the api",
      "Add a test that failed",
      "Test the failing thing",
      "Add notes",
    ])
      expect(await idsFor(objective)).toEqual([]);
  });

  it("may share no word when they are the same kind of work", async () => {
    const memory = await openScratchMemory();
    const slow = await finish(memory, { description: "Invoice overview takes seconds to load" });
    await finish(memory, { description: "Rename the customer module" });
    const found = await memory.tasks.similar({ objective: "Speed up the parcel search" });
    expect(found.map(({ task_id }) => task_id)).toEqual([slow]);
  });

  it("met the same failure, whatever its paths and values", async () => {
    const memory = await openScratchMemory();
    const failing = async (description: string, output: string) => {
      const { id } = await memory.tasks.init({ description });
      await memory.tasks.start(id);
      await memory.tasks.log(id, entries({ tool: "Bash", success: false, output }));
      await memory.tasks.complete(id, { outcome: "failure", output });
      return id;
    };
    const met = await failing("Price the basket", tscOutput("src/basket/price.ts", 12));
    await failing("Round totals", "AssertionError: expected 12 to equal 13");
    const asked = { objective: "Ship the vouchers", errors: [tscOutput("src/vouchers/ship.ts", 88)] };
    expect((await memory.tasks.similar(asked)).map(({ task_id }) => task_id)).toEqual([met]);
    const compared = { objective: "Ship the vouchers", errors: ["AssertionError: expected 4 to equal 5"] };
    expect(await memory.tasks.similar(compared)).toEqual([]);
  });

  it("tell how they went and what was thought about them", async () => {
    const now = { value: "2026-03-01T00:00:00.000Z" };
    const memory = await openScratchMemory({ now });
    await finish(memory, { ...login, quality: 0.9, worked: "Wait for the redirect" });
    now.value = "2026-03-11T00:00:00.000Z";
    const [found] = await memory.tasks.similar({ objective: login.description });
    expect(found).toMatchObject({
      task_id: "task-001",
      description: login.description,
      outcome: "success",
      iterations: 2,
      final_quality: 0.9,
      age_days: 10,
    });
    expect(found?.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(found?.summary).toMatch(/^succeeded in 1 attempt, quality 0.9. files: test\/login.test.ts/);
    expect(found?.reflections.map(({ type }) => type)).toContain("success_pattern");
  });

  it("that succeeded come first among equals, then those of the asked type", async () => {
    const memory = await openScratchMemory();
    await finish(memory, login);
    await finish(memory, { ...login, outcome: "failure" });
    const found = await memory.tasks.similar({ objective: login.description, taskType: "test-fix" });
    expect(found.map(({ task_id, outcome }) => [task_id, outcome])).toEqual([
      ["task-001", "success"],
      ["task-002", "failure"],
    ]);
  });

  it("are finished, shown, recent, few and not the task itself", async () => {
    const now = { value: "2026-01-01T00:00:00.000Z" };
    const memory = await openScratchMemory({ now });
    for (let count = 0; count < 5; count += 1) await finish(memory, login);
    await memory.tasks.init({ description: login.description });
    const objective = login.description;
    expect(await memory.tasks.similar({ objective })).toHaveLength(3);
    const all = await memory.tasks.similar({ objective, topK: 10, excludeTaskId: "task-002" });
    expect(all.map(({ task_id }) => task_id)).toEqual(["task-005", "task-004", "task-003", "task-001"]);
    now.value = "2026-04-02T00:00:00.000Z";
    expect(await memory.tasks.similar({ objective })).toEqual([]);
    expect(await memory.tasks.similar({ objective, maxAgeDays: 0, topK: 1 })).toHaveLength(1);
    await memory.tasks.archive();
    expect(await memory.tasks.similar({ objective, maxAgeDays: 0 })).toEqual([]);
  });

  it("follow what is set", async () => {
    const settings = (lines: string) => `cross_task_learning:\n${lines}`;
    const asked = { objective: "Login test fails because the session times out" };
    for (const [lines, count] of [
      ["  retrieval:\n    top_k: 1\n", 1],
      ["  retrieval:\n    similarity_threshold: 1\n", 0],
      ["  enabled: false\n", 0],
      ["  enabled: true\n", 2],
    ] as const) {
      const memory = await openScratchMemory({ settings: settings(lines) });
      await finish(memory, login);
      await finish(memory, login);
      expect(await memory.tasks.similar(asked)).toHaveLength(count);
    }
  });

  it("are found by errors and files that go with the objective", async () => {
    const memory = await openScratchMemory();
    await finish(memory, invoices);
    await finish(memory, login);
    const objective = "Make the build green";
    expect(await memory.tasks.similar({ objective })).toEqual([]);
    const found = await memory.tasks.similar({ objective, files: ["src/auth/session.ts"] });
    expect(found).toMatchObject([{ task_id: "task-002", parts: { file: "src/auth/session.ts" } }]);
    const { id } = await memory.tasks.init({ description: "Total the cart in cents" });
    await memory.tasks.start(id);
    const output = tscOutput("src/cart/total.ts", 3);
    await memory.tasks.log(id, entries({ tool: "Bash", success: false, output }));
    await memory.tasks.complete(id, { outcome: "failure", output });
    expect(await memory.tasks.similar({ objective, errors: [output] })).toMatchObject([{ task_id: id }]);
  });

  it("refuse wrong questions, and are none without a memory", async () => {
    const memory = await openScratchMemory();
    expect(await memory.tasks.similar({ objective: "anything" })).toEqual([]);
    await finish(memory, login);
    await expect(memory.tasks.similar({ objective: " " })).rejects.toThrow("need an objective");
    await expect(memory.tasks.similar({ objective: "a", threshold: 2 })).rejects.toThrow("from 0 to 1");
    await expect(memory.tasks.similar({ objective: "a", topK: -1 })).rejects.toThrow("whole number");
  });
});

describe("the memory of a task", () => {
  it("has the published fields, for every outcome", async () => {
    const memory = await openScratchMemory();
    await finish(memory, { ...login, quality: 0.9, worked: "Wait for the redirect" });
    await finish(memory, { ...login, outcome: "failure", quality: 0.4 });
    await finish(memory, { ...login, outcome: "failure" });
    const task = (await memory.tasks.list()).at(-1);
    const record = await memory.tasks.memory("task-001");
    expect(record).toMatchObject({
      task_id: task?.uuid,
      task_description: login.description,
      task_type: "testing",
      timestamp: task?.completed,
      outcome: "success",
      iterations: 2,
      final_quality: 0.9,
      tags: ["auth"],
    });
    expect(record.key_learnings.length).toBeGreaterThan(0);
    for (const reflection of record.reflections) {
      expect(reflection.content).not.toBe("");
      expect(reflection.iteration).toBe(2);
      expect(["error_analysis", "strategy_change", "success_pattern", "constraint_discovery"]).toContain(
        reflection.type,
      );
    }
    expect((await memory.tasks.memory("task-002")).outcome).toBe("partial");
    expect((await memory.tasks.memory("task-003")).outcome).toBe("failure");
    await expect(memory.tasks.memory("task-9")).rejects.toThrow("task-9");
  });
});
