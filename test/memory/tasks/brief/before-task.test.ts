import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entries, openScratchMemory, tscOutput } from "../../../support/open-scratch-memory.js";
import { recordShown } from "../../../support/record-shown.js";
import { scratchRepository } from "../../../support/scratch.js";

async function experienced() {
  const root = scratchRepository();
  const skill = join(root, ".agent/skills/api-endpoint");
  mkdirSync(skill, { recursive: true });
  writeFileSync(
    join(skill, "SKILL.md"),
    "---\nname: api-endpoint\ndescription: Implement an API endpoint with its contract tests\n---\n\n## Steps\n\n1. Read the spec\n",
  );
  const memory = await openScratchMemory({ root });
  const pattern = await memory.learnings.add({
    type: "pattern",
    taskType: "feature",
    content: { description: "Express route handlers need explicit return types" },
    confidence: 0.9,
  });
  const mistake = await memory.learnings.add({
    type: "antipattern",
    taskType: "feature",
    content: { description: "Avoid: a route without a contract test", prevention: "write the test first" },
    confidence: 0.7,
  });
  return { memory, pattern, mistake };
}

describe("before a task runs", () => {
  it("its plan tells the patterns, mistakes and skills that have to do with it, as data", async () => {
    const { memory, pattern, mistake } = await experienced();
    await memory.tasks.init({ description: "Implement the API endpoint for todos with a route handler" });
    const { before, planText: plan } = await memory.tasks.start("task-001");
    expect(before).toEqual({
      relevant_patterns: [{ id: pattern.id, summary: "Express route handlers need explicit return types" }],
      avoid_these: [
        { id: mistake.id, summary: "Avoid: a route without a contract test → write the test first" },
      ],
      applicable_skills: [
        { id: "skill: api-endpoint", summary: "Implement an API endpoint with its contract tests" },
      ],
    });
    expect(plan).toMatch(
      /^<ralph-memory-\d{9}>\n[\s\S]*## What worked\n- \[learn-[\s\S]*<\/ralph-memory-\d{9}>\n\n# Plan for attempt 1/,
    );
    expect(await memory.tasks.before("Implement the API endpoint for users")).toMatchObject({
      applicable_skills: [{ id: "skill: api-endpoint" }],
    });
  });

  it("what it is shown counts as used, and is credited when it ends", async () => {
    const { memory, pattern } = await experienced();
    await memory.tasks.init({ description: "Implement a route handler" });
    await memory.tasks.start("task-001");
    expect((await memory.learnings.get(pattern.id)).useCount).toBe(1);
    await memory.tasks.log("task-001", entries({ tool: "Bash", output: tscOutput("a.ts", 1) }));
    await memory.tasks.complete("task-001", { outcome: "success" });
    expect((await memory.learnings.why(pattern.id)).credits).toMatchObject([
      { weight: 0.2, succeeded: true },
    ]);
  });

  it("a plan without anything to tell begins with itself", async () => {
    const memory = await openScratchMemory();
    await memory.tasks.init({ description: "Rename the logo" });
    const { planText: plan, before } = await memory.tasks.start("task-001");
    expect(plan).toMatch(/^# Plan for attempt 1 of task-001\n/);
    expect(before).toEqual({ relevant_patterns: [], avoid_these: [], applicable_skills: [] });
  });

  it("what helped other tasks comes before what did not, and what harmed them stays away", async () => {
    const memory = await openScratchMemory({ settings: "learnings:\n  promotion: auto\n" });
    const store = (description: string) =>
      memory.learnings.add({
        type: "strategy",
        taskType: "feature",
        content: { description },
        confidence: 0.9,
      });
    const harmful = await store("Skip the type check of the route handler");
    const helpful = await store("Generate the route handler from the spec");
    for (let number = 0; number < 24; number += 1) {
      const { id } = await memory.tasks.init({
        description: `Implement feature number ${number} of the route handler`,
      });
      const used = number % 2 === 0 ? helpful : harmful;
      await recordShown(memory, {
        task_id: id,
        created: "2026-01-01T00:00:00.000Z",
        isHoldout: false,
        records: [{ id: used.id, kind: "learning" }],
      });
      await memory.tasks.start(id);
      await memory.tasks.log(id, entries({ tool: "Bash", reasoning: `As ${used.id} says` }));
      await memory.tasks.complete(id, { outcome: used === helpful ? "success" : "failure" });
    }
    const { relevant_patterns: shown } = await memory.tasks.before("Implement another route handler");
    expect(shown[0]?.id).toBe(helpful.id);
    expect(shown.map(({ id }) => id)).not.toContain(harmful.id);
  });
});
