import { describe, expect, it } from "vitest";
import type { ExtractedLearning, SourceRemedy } from "../../../src/domain/knowledge/learning.js";
import type { Memory } from "../../../src/memory/memory.js";
import { projectOf } from "../../../src/memory/project-of.js";
import { settleFindings } from "../../../src/semantic/staging/settle-findings.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

const settle = (memory: Memory, learning: ExtractedLearning, { isReady = true, isReviewed = false } = {}) =>
  projectOf(memory).write((context) =>
    context.store.transaction((tx) =>
      settleFindings(tx, { ...context, newLearningId }, [{ learning, isReady }], { isReviewed }),
    ),
  );

let ids = 0;
const newLearningId = () => {
  ids += 1;
  return `learn-${String(ids).padStart(12, "0")}`;
};

const strategy = (description: string, source: string): ExtractedLearning => ({
  type: "strategy",
  taskType: "feature",
  content: { description, effectiveness: 1, iterations: 1 },
  confidence: 0.8,
  successRate: 1,
  sourceLoops: [source],
});

const mistake = (source: string, day: number, remedy?: SourceRemedy): ExtractedLearning => ({
  type: "antipattern",
  taskType: "feature",
  content: {
    description: "the ledger is locked",
    why: "the ledger is locked",
    ...(remedy && { prevention: remedy.text }),
    occurrences: 1,
  },
  confidence: 0.6,
  successRate: 0,
  sourceLoops: [source],
  failure_key: "the ledger is locked",
  merged: {
    wordingConfidence: 0.6,
    uses: {},
    sources: {
      [source]: {
        confidence: 0.6,
        successRate: 0,
        count: 1,
        at: `2026-05-0${day}T00:00:00.000Z`,
        ...(remedy && { remedy }),
      },
    },
  },
});

describe("a finding", () => {
  it("that is ready is learned at once, and leaves nothing staged", async () => {
    const memory = await openScratchMemory();
    expect(await settle(memory, strategy("Parcels are weighed in grams", "task-001"))).toMatchObject({
      promoted: 1,
    });
    expect(await memory.learnings.list()).toHaveLength(1);
    expect(await memory.learnings.listStaged()).toEqual([]);
  });

  it("that is not ready waits until another task confirms it", async () => {
    const memory = await openScratchMemory();
    const once = strategy("Parcels are weighed in grams", "task-001");
    await settle(memory, once, { isReady: false });
    await settle(memory, once, { isReady: false });
    expect(await memory.learnings.list()).toEqual([]);
    await settle(memory, strategy("Weigh parcels in grams", "task-002"), { isReady: false });
    expect(await memory.learnings.list()).toMatchObject([{ sourceLoops: ["task-001", "task-002"] }]);
    expect(await memory.learnings.listStaged()).toEqual([]);
  });

  it("that is not ready strengthens what is known already", async () => {
    const memory = await openScratchMemory();
    await settle(memory, mistake("task-001", 1, { text: "run `make unlock`", gist: "make unlock" }));
    await settle(memory, mistake("task-002", 2), { isReady: false });
    expect(await memory.learnings.list()).toMatchObject([
      { sourceLoops: ["task-001", "task-002"], content: { prevention: "run `make unlock`", occurrences: 2 } },
    ]);
  });

  it("waits for a person where there is a review, ready or not, and what repeats it joins it", async () => {
    const memory = await openScratchMemory();
    const remedy = { text: "run `make unlock`", gist: "make unlock" };
    await settle(memory, mistake("task-001", 1, remedy), { isReviewed: true });
    await settle(memory, mistake("task-002", 2, remedy), { isReviewed: true });
    expect(await memory.learnings.list()).toEqual([]);
    expect(await memory.learnings.listStaged()).toMatchObject([
      { status: "pending", learning: { sourceLoops: ["task-001", "task-002"] } },
    ]);
  });

  it("keeps what somebody said as a strategy when another remedy is better known", async () => {
    const memory = await openScratchMemory();
    const unlock = { text: "run `make unlock`", gist: "make unlock" };
    const said = { text: "Close the books before the import", gist: "books", isSaid: true as const };
    await settle(memory, mistake("task-001", 1, unlock));
    await settle(memory, mistake("task-002", 2, unlock));
    await settle(memory, mistake("task-003", 3, said));
    const learned = await memory.learnings.list();
    expect(
      learned.map(({ type, content }) => [type, content.prevention ?? content.description]).sort(),
    ).toEqual([
      ["antipattern", unlock.text],
      ["strategy", said.text],
    ]);
  });

  it("that is not valid is rejected", async () => {
    const memory = await openScratchMemory();
    const wrong = { ...strategy("Parcels are weighed in grams", "task-001"), confidence: 7 };
    expect(await settle(memory, wrong)).toMatchObject({ rejected: 1, promoted: 0 });
    expect(await memory.learnings.list()).toEqual([]);
  });
});
