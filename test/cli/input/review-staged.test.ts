import { describe, expect, it } from "vitest";
import { reviewStaged } from "../../../src/cli/commands/learnings/review.js";
import type { Terminal } from "../../../src/cli/output/terminal/terminal.js";
import type { Memory } from "../../../src/memory/memory.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

const strategy = (description: string, confidence = 0.8) => ({
  type: "strategy" as const,
  taskType: "feature",
  content: { description },
  confidence,
  sourceLoops: ["ralph-001"],
  source_episodes: ["task-001/2"],
  successRate: 0.9,
});

const statements = ["Small steps", "Draw the data flow first", "Ask before deleting", "Read the tests"];

/** Reviews four staged learnings with these answers; after the last one the person leaves. */
async function review(...answers: string[]) {
  const memory: Memory = await openScratchMemory();
  await memory.learnings.stage(statements.map((statement) => strategy(statement)));
  let talk = "";
  const terminal: Terminal = {
    out: () => {},
    talk: (text) => {
      talk += text;
    },
    width: 80,
    isScreen: true,
    hasColor: false,
    isTalkWatched: true,
  };
  const remaining = [...answers];
  const ask = async () => remaining.shift();
  const reviewed = await reviewStaged(memory, await memory.learnings.listStaged(), terminal, ask);
  return { memory, reviewed, talk };
}

describe("a review in the terminal", () => {
  it("accepts, edits, rejects and skips, and keeps each decision", async () => {
    const { memory, reviewed, talk } = await review("a", "e", "Draw the flow", "r", "too timid", "s");
    expect(reviewed).toEqual({ accepted: 2, rejected: 1, skipped: 1 });
    const promoted = (await memory.learnings.list()).map(({ content }) => content.description);
    expect(promoted.sort()).toEqual(["Draw the flow", "Small steps"]);
    expect(await memory.learnings.listStaged()).toMatchObject([
      { status: "rejected", rejectionReason: "too timid" },
      { status: "pending" },
    ]);
    expect(talk).toMatch(/\[1 of 4\] Small steps\n\n[\s\S]*Sources: {5}ralph-001\nAttempts: {4}task-001\/2/);
  });

  it("stops when the person leaves, and does nothing without a reason or a statement", async () => {
    const { memory, reviewed } = await review("r", "", "e", " ", "what?", "q", "a");
    expect(reviewed).toEqual({ accepted: 0, rejected: 0, skipped: 0 });
    expect((await review("a")).reviewed.accepted).toBe(1);
    expect((await memory.learnings.stagingStats()).pending).toBe(4);
  });

  it("says why something cannot be accepted, and goes on", async () => {
    const memory = await openScratchMemory();
    await memory.learnings.stage([strategy("Large steps", 0.1)]);
    let talk = "";
    const terminal = { talk: (text: string) => (talk += text), out: () => {} } as unknown as Terminal;
    const answers = ["a", "e", "Larger steps"];
    await reviewStaged(memory, await memory.learnings.listStaged(), terminal, async () => answers.shift());
    expect(talk.match(/Confidence too low \(< 0\.3\)/g)).toHaveLength(2);
    expect(await memory.learnings.list()).toEqual([]);
  });
});
