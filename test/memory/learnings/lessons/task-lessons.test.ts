import { describe, expect, it } from "vitest";
import type { IterationEnd } from "../../../../src/episodic/attempts/end-iteration.js";
import { loopOf } from "../../../../src/memory/learnings/lessons/task-lessons.js";
import { openScratchMemory, tscOutput } from "../../../support/open-scratch-memory.js";

const failing = (output: string, rest: Partial<IterationEnd> = {}) => ({
  success: false,
  quality: 0.5,
  output,
  ...rest,
});

/** Status and progress of the iterations of a task that ended like this. */
async function statesOf(...ends: Omit<IterationEnd, "iteration">[]): Promise<string[]> {
  const memory = await openScratchMemory();
  const { id } = await memory.tasks.init({ description: "Fix the type check" });
  await memory.tasks.start(id, {});
  for (const [index, end] of ends.entries())
    await memory.tasks.endIteration(id, { iteration: index + 1, ...end });
  const { iterations } = loopOf(await memory.tasks.history(id, { isFull: true }));
  return iterations.map(({ status, analysis }) => `${status}${analysis?.progressMade ? ", progress" : ""}`);
}

describe("a task as a loop state", () => {
  it("does not call an iteration completed that fails like the one before", async () => {
    const states = await statesOf(
      failing(tscOutput("src/cart.ts", 3)),
      failing(tscOutput("src/cart.ts", 4)),
      failing(tscOutput("src/cart.ts", 4), { quality: 0.6 }),
      failing(tscOutput("src/mail.ts", 9), { quality: 0.6 }),
      { success: true, quality: 1, output: "" },
    );
    expect(states).toEqual(["failed", "failed", "failed", "completed, progress", "completed, progress"]);
  });

  it("does not call an iteration completed in which the agent did not end normally", async () => {
    const trouble = "the agent exited with code 1";
    const states = await statesOf(
      failing("the gate is shut", { trouble }),
      failing("the key is lost", { trouble }),
      failing("the key is bent"),
    );
    expect(states).toEqual(["failed", "failed", "completed"]);
  });
});
