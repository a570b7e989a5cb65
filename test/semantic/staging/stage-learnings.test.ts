import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

const loop = (loopId: string) => ({
  loopId,
  objective: "Fix failing authentication tests",
  status: "completed",
  iterations: [{ status: "completed", analysis: { progressMade: true }, learnings: ["Write tests first"] }],
});

const strategy = (description: string, confidence: number) => ({
  type: "strategy" as const,
  taskType: "feature",
  content: { description },
  confidence,
  sourceLoops: ["ralph-001"],
  successRate: 0.9,
});

describe("the staging area", () => {
  it("keeps learnings that wait for a review while the pipeline runs for another loop", async () => {
    const memory = await openScratchMemory();
    const [waiting] = await memory.learnings.stage([strategy("Small steps", 0.7)]);
    expect(await memory.learnings.learnFromLoop(loop("ralph-002"))).toMatchObject({
      promoted: 1,
      rejected: 1,
    });
    expect((await memory.learnings.listStaged()).find(({ id }) => id === waiting?.id)).toMatchObject({
      status: "pending",
    });
    expect(await memory.learnings.list()).toMatchObject([{ sourceLoops: ["ralph-002"] }]);
  });

  it("promotes only the given ids, and reports why the others are invalid", async () => {
    const memory = await openScratchMemory();
    const [good, bad, other] = await memory.learnings.stage([
      strategy("Small steps", 0.7),
      strategy("Large steps", 0.1),
      strategy("Ask before deleting files", 0.9),
    ]);
    const ids = [good?.id ?? "", bad?.id ?? ""];
    const result = await memory.learnings.promoteStaged({
      ids,
      autoValidate: true,
    });
    expect(result.learnings).toMatchObject([{ content: { description: "Small steps" } }]);
    expect(result.rejected).toMatchObject([{ rejectionReason: "Confidence too low (< 0.3)" }]);
    expect((await memory.learnings.listStaged()).find(({ id }) => id === other?.id)?.status).toBe("pending");
  });

  it("promotes nothing when one of the ids is unknown", async () => {
    const memory = await openScratchMemory();
    const [good] = await memory.learnings.stage([strategy("Small steps", 0.7)]);
    const ids = [good?.id ?? "", "stage-1-1"];
    await expect(memory.learnings.promoteStaged({ ids, autoValidate: true })).rejects.toThrow(
      "Staged learning not found: stage-1-1",
    );
    expect(await memory.learnings.listStaged()).toMatchObject([{ status: "pending" }]);
    expect(await memory.learnings.list()).toEqual([]);
  });
});
