import { expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

it("what a failure teaches is said in its own words, not by the name of its kind", async () => {
  const memory = await openScratchMemory();
  await memory.tasks.init({ description: "Fix the test of the mailer" });
  const output = [
    " FAIL  src/mailer.test.ts > sends the mail",
    "Error: Test timed out in 5000ms.",
    " ❯ src/mailer.test.ts:12:3",
    "",
    " Test Files  1 failed (1)",
  ].join("\n");
  for (const _ of [1, 2, 3]) {
    await memory.tasks.start("task-001");
    await memory.tasks.complete("task-001", { outcome: "failure", output });
  }
  await memory.learnings.consolidate({ since: "2020-01-01T00:00:00.000Z" });
  const antipatterns = await memory.learnings.list({ type: "antipattern" });
  expect(antipatterns.length).toBeGreaterThan(0);
  const told = JSON.stringify(antipatterns);
  expect(told).toContain("Test timed out in 5000ms");
  expect(told).not.toContain("break into smaller steps");
});
