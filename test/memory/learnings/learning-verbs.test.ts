import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const open = async (root = scratchRepository()) => ({ memory: await openScratchMemory({ root }), root });

describe("a learning that is published", () => {
  it("says why and what prevents it, once", async () => {
    const { memory } = await open();
    const { id } = await memory.learnings.add({
      type: "antipattern",
      taskType: "bug-fix",
      content: {
        description: "Avoid: rounding early",
        why: "cents are lost",
        prevention: "round at the end",
      },
    });
    const { note, kind } = await memory.learnings.publish(id);
    expect([kind, note.type, note.tags]).toEqual(["added", "fix", ["bug-fix", "learned"]]);
    expect(note.content).toBe("Avoid: rounding early\nWhy: cents are lost\nPrevention: round at the end");
    expect((await memory.learnings.publish(id)).kind).toBe("existing");
    expect(await memory.links.list(id)).toMatchObject([{ from: note.id, relation: "derived_from" }]);
  });
});

describe("looking for lessons", () => {
  it("creates no files where there is no memory", async () => {
    const { memory, root } = await open();
    const before = readdirSync(root);
    await memory.learnings.consolidate({ since: "2026-01-01", dryRun: true });
    await memory.learnings.consolidate({ since: "2026-01-01" });
    await expect(memory.learnings.learnFromTask("task-001")).rejects.toThrow("Task not found");
    expect(readdirSync(root)).toEqual(before);
  });
});
