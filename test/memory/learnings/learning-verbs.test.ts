import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { publishLearning } from "../../../src/memory/learnings/publish-learning.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const open = async (root = scratchRepository()) => ({ memory: await openScratchMemory({ root }), root });

describe("a learning that is published", () => {
  it("says why and what prevents it, once", async () => {
    const { memory } = await open();
    const { id } = await memory.storeLearning({
      type: "antipattern",
      taskType: "bug-fix",
      content: {
        description: "Avoid: rounding early",
        why: "cents are lost",
        prevention: "round at the end",
      },
    });
    const { note, kind } = await publishLearning(memory, id);
    expect([kind, note.type, note.tags]).toEqual(["added", "fix", ["bug-fix", "learned"]]);
    expect(note.content).toBe("Avoid: rounding early\nWhy: cents are lost\nPrevention: round at the end");
    expect((await publishLearning(memory, id)).kind).toBe("existing");
    expect(await memory.listLinks(id)).toMatchObject([{ from: note.id, relation: "derived_from" }]);
  });
});

describe("looking for lessons", () => {
  it("creates no files where there is no memory", async () => {
    const { memory, root } = await open();
    const before = readdirSync(root);
    await memory.consolidate({ since: "2026-01-01", isDryRun: true });
    await memory.consolidate({ since: "2026-01-01" });
    await expect(memory.learnFromTask("task-001")).rejects.toThrow("Task not found");
    expect(readdirSync(root)).toEqual(before);
  });
});
