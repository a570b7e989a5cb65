import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { schemaVersion } from "../../../src/store/schema-version.js";
import { sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { entries, openScratchMemory, tscOutput } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

/** A finished task in January, and the clock at a later day. */
async function oldTask() {
  const now = { value: "2026-01-01T00:00:00.000Z" };
  const memory = await openScratchMemory({ now, settings: "learnings:\n  promotion: off\n" });
  await memory.tasks.init({ description: "Fix the discount rounding" });
  await memory.tasks.start("task-001");
  await memory.tasks.log(
    "task-001",
    entries(
      { tool: "Edit", type: "edit", params: { file_path: "src/total.ts" } },
      { tool: "Bash", params: { command: "npm test" }, success: false, output: tscOutput("a.ts", 1) },
    ),
  );
  await memory.tasks.complete("task-001", { outcome: "failure", output: tscOutput("a.ts", 1) });
  return { memory, now };
}

describe("old history", () => {
  it("is shown in full for a week, then as a summary, and archived after a month", async () => {
    const { memory, now } = await oldTask();
    const full = await memory.tasks.history("task-001");
    now.value = "2026-01-07T00:00:00.000Z";
    expect(await memory.tasks.archive()).toEqual({ summarised: [], archived: [], kept: [] });
    now.value = "2026-01-09T00:00:00.000Z";
    expect((await memory.tasks.archive()).summarised).toMatchObject([{ task_id: "task-001", attempt_id: 1 }]);
    const [attempt] = (await memory.tasks.history("task-001")).attempts;
    expect(attempt).toMatchObject({
      actions: [],
      actions_summary:
        "2 actions (1 Edit, 1 Bash); 1 failed; the last failing command was `npm test`; edited src/total.ts",
    });
    expect(await memory.tasks.history("task-001", { isFull: true })).toEqual(full);
    now.value = "2026-02-02T00:00:00.000Z";
    expect((await memory.tasks.archive()).archived).toMatchObject([{ task_id: "task-001" }]);
    expect(await memory.tasks.list()).toEqual([]);
    expect(await memory.tasks.list({ includesArchived: true })).toMatchObject([{ archived: now.value }]);
    expect(await memory.tasks.search({ text: "discount rounding" })).toEqual([]);
    expect(await memory.tasks.search({ text: "discount rounding", includesArchived: true })).toMatchObject([
      { id: "task-001" },
    ]);
    const { archived: _archived, ...kept } = await memory.tasks.history("task-001", { isFull: true });
    expect(kept).toEqual(full);
    expect((await memory.tasks.replay("task-001")).steps).toHaveLength(2);
    expect(await memory.tasks.archive()).toEqual({ summarised: [], archived: [], kept: [] });
  });

  it("stays when something refers to it, and comes back when work on it goes on", async () => {
    const { memory, now } = await oldTask();
    await memory.tasks.init({ description: "Follow up", related_tasks: ["task-001"] });
    now.value = "2026-03-01T00:00:00.000Z";
    expect(await memory.tasks.archive()).toMatchObject({ archived: [], kept: ["task-001"] });
    const other = await oldTask();
    other.now.value = "2026-03-01T00:00:00.000Z";
    await other.memory.tasks.archive();
    await other.memory.tasks.start("task-001");
    expect(await other.memory.tasks.list()).toMatchObject([{ id: "task-001" }]);
  });

  it("is only looked at in a dry run", async () => {
    const { memory, now } = await oldTask();
    now.value = "2026-03-01T00:00:00.000Z";
    const before = await memory.tasks.history("task-001");
    expect(await memory.tasks.archive({ dryRun: true })).toMatchObject({
      summarised: [{ task_id: "task-001" }],
      archived: [{ task_id: "task-001" }],
    });
    expect(await memory.tasks.history("task-001")).toEqual(before);
    expect(await memory.tasks.list()).toHaveLength(1);
  });
});

describe("searching tasks", () => {
  it("answers from descriptions, reflections, errors and outcomes, the best first", async () => {
    const memory = await openScratchMemory();
    const finish = async (id: string, result: object) => {
      await memory.tasks.start(id);
      await memory.tasks.complete(id, { outcome: "failure", ...result });
    };
    await memory.tasks.init({ description: "Speed up the importer", tags: ["perf"], agent: "one" });
    await finish("task-001", { reason: "The customer cancelled the ticket" });
    await memory.tasks.init({ description: "Fix the login page" });
    await finish("task-002", { output: tscOutput("src/session.ts", 7) });
    await memory.tasks.init({ description: "Write the guide" });
    await memory.tasks.reflect("task-003", { observation: "Screenshots go stale; describe instead" });
    const ids = async (search: { text: string; tags?: string[]; agent?: string }) =>
      (await memory.tasks.search(search)).map(({ id, excerpt }) => [id, excerpt.from]);
    expect(await ids({ text: "how do we make the import faster" })).toEqual([["task-001", "description"]]);
    expect(await ids({ text: "cancelled ticket" })).toEqual([["task-001", "reflection"]]);
    expect(await ids({ text: "TS2322 in session.ts" })).toEqual([["task-002", expect.any(String)]]);
    expect(await ids({ text: "stale screenshots" })).toEqual([["task-003", "reflection"]]);
    expect(await ids({ text: "fix login write guide", agent: "one" })).toEqual([]);
    expect(await ids({ text: "importer", tags: ["perf"], agent: "one" })).toHaveLength(1);
    expect(await ids({ text: "!!!" })).toEqual([]);
  });

  it("still answers after an update that derives its index anew", async () => {
    const root = scratchRepository();
    const memory = await openScratchMemory({ root });
    await memory.tasks.init({ description: "Speed up the importer" });
    await memory.close();
    const database = (await loadSqliteEngine()).open(sqlitePath(join(root, ".ralph")));
    database.exec(`PRAGMA user_version = ${schemaVersion * 1000 + 999}`);
    database.close();
    const updated = await openScratchMemory({ root });
    expect(await updated.tasks.search({ text: "importer" })).toMatchObject([{ id: "task-001" }]);
  });
});
