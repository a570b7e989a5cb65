import { expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

it("what a failure teaches is said in its own words, not by the name of its kind", async () => {
  const memory = await openScratchMemory();
  const output = [
    " FAIL  src/mailer.test.ts > sends the mail",
    "Error: Test timed out in 5000ms.",
    " ❯ src/mailer.test.ts:12:3",
    "",
    " Test Files  1 failed (1)",
  ].join("\n");
  for (const name of ["mailer", "queue"]) {
    const { id } = await memory.tasks.init({ description: `Fix the test of the ${name}` });
    await memory.tasks.start(id);
    await memory.tasks.complete(id, { outcome: "failure", output: output.replaceAll("mailer", name) });
  }
  await memory.learnings.consolidate({ since: "2020-01-01T00:00:00.000Z" });
  const antipatterns = await memory.learnings.list({ type: "antipattern" });
  expect(antipatterns).toHaveLength(1);
  const told = JSON.stringify(antipatterns);
  expect(told).toContain("Test timed out in 5000ms");
  expect(told).not.toContain("break into smaller steps");
});

it("a rule in an objective is a convention, which the task's files do not make stale", async () => {
  const memory = await openScratchMemory();
  const description = "Add the export of reports. In this project we use pnpm, never npm.";
  const { id } = await memory.tasks.init({ description });
  await memory.tasks.start(id);
  await memory.tasks.complete(id, { outcome: "success" });
  expect(await memory.learnings.list({ type: "convention" })).toMatchObject([
    { content: { pattern: "In this project we use pnpm, never npm" }, files: [], sourceLoops: [id] },
  ]);
});
