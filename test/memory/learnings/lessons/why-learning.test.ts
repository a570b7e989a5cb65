import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderEvidence } from "../../../../src/cli/output/evidence.js";
import { renderLearnings, renderStagedTable } from "../../../../src/cli/output/learnings.js";
import type { Terminal } from "../../../../src/cli/output/terminal/terminal.js";
import { entries, openScratchMemory, tscOutput } from "../../../support/open-scratch-memory.js";

const wide: Terminal = {
  ...{ out: () => undefined, talk: () => undefined, settled: async () => {} },
  ...{ width: Number.POSITIVE_INFINITY, isScreen: false, hasColor: false, isTalkWatched: false },
};

const check = (success: boolean) => ({
  tool: "Bash",
  params: { command: "tsc" },
  success,
  ...(!success && { output: tscOutput("src/cart.ts", 3) }),
});
const edit = (file_path: string, reasoning: string) => ({
  tool: "Edit",
  type: "edit",
  params: { file_path },
  reasoning,
});

/** A task that tries one thing in vain, then another one that helps. */
async function learned(settings = "") {
  const memory = await openScratchMemory({ settings });
  const { id } = await memory.tasks.init({ description: "Fix the cart" });
  await memory.tasks.start(id);
  const log = [
    check(false),
    edit("src/money.ts", "Widened the type of the amount"),
    check(false),
    edit("src/cart.ts", "Parsed the amount before the sum"),
    check(true),
  ];
  await memory.tasks.log(id, entries(...log));
  await memory.tasks.complete(id, { outcome: "success" });
  return memory;
}

const problem = /TS2322: Type 'string' is not assignable to type 'number'/;

describe("an antipattern from a resolved error", () => {
  it("is listed on one line with its remedy, the number of tasks and its category", async () => {
    const memory = await learned();
    const learnings = await memory.learnings.list({ type: "antipattern" });
    const [heading = "", line = ""] = renderLearnings(learnings, wide).split("\n");
    expect(heading).toMatch(/STATEMENT +REMEDY$/);
    expect(line).toMatch(problem);
    expect(line).toMatch(/\(1 task, [\w-]+\) +Parsed the amount before the sum/);
    expect(line).not.toContain("Avoid:");
    const { text } = await memory.learnings.export("markdown");
    expect(text).toMatch(/^- .*TS2322.* → Parsed the amount before the sum/m);
  });

  it("is listed like that for a review", async () => {
    const memory = await learned("learnings:\n  promotion: review\n");
    const [staged] = await memory.learnings.listStaged();
    expect(renderStagedTable(staged === undefined ? [] : [staged], wide)).toMatch(
      /TS2322.*\(1 task, [\w-]+\) +Parsed the amount before the sum/,
    );
  });

  it("is listed with the whole remedy, however narrow the terminal is", async () => {
    const memory = await learned();
    const learnings = await memory.learnings.list({ type: "antipattern" });
    const narrow = { ...wide, width: 60, isScreen: true };
    const remedy = learnings[0]?.content.prevention;
    expect(renderLearnings(learnings, narrow)).toContain(`\n    REMEDY  ${remedy}\n`);
  });

  it("tells what made it go away in each task, and what was tried in vain", async () => {
    const memory = await learned();
    const [{ id = "" } = {}] = await memory.learnings.list({ type: "antipattern" });
    const why = await memory.learnings.why(id);
    expect(why.remedies).toEqual([
      {
        source: "task-001",
        remedy: expect.stringContaining("Parsed the amount before the sum"),
        isSaid: false,
        inVain: [expect.stringContaining("Widened the type of the amount")],
      },
    ]);
    const lines = renderEvidence(why, wide).split("\n");
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}task-001 {2}went away after: Parsed the amount/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}task-001 {2}in vain: Widened the type/));
  });

  it("is published as the problem and its remedy, without saying it twice", async () => {
    const memory = await learned();
    const [{ id = "" } = {}] = await memory.learnings.list({ type: "antipattern" });
    const { note } = await memory.learnings.publish(id);
    const [statement = "", remedy = "", ...more] = note.content.split("\n");
    expect(statement).toMatch(problem);
    expect(remedy).toMatch(/^Remedy: Parsed the amount before the sum/);
    expect(more).toEqual([]);
  });

  it("stands in the continuity file with its remedy", async () => {
    const memory = await learned();
    const { id } = await memory.tasks.init({ description: "Fix TS2322 in the invoice, too" });
    await memory.tasks.start(id);
    const { path } = await memory.working.updateContinuity();
    expect(readFileSync(path, "utf8")).toMatch(
      /Mistakes to Avoid[^#]*TS2322.* → Parsed the amount before the sum/,
    );
  });
});
