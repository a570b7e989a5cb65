import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MemoryRetrieval } from "../../../src/index.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

describe("looking for learnings where there is no memory", () => {
  it("finds nothing and creates no files", async () => {
    const memory = await openScratchMemory();
    expect(await memory.learnings.list()).toEqual([]);
    expect(await memory.learnings.stats()).toMatchObject({ totalSize: 0, lastUpdated: null });
    expect((await new MemoryRetrieval(memory).getRelevantKnowledge({ objective: "Fix it" })).summary).toBe(
      "",
    );
    await expect(memory.learnings.delete("learn-1")).rejects.toMatchObject({ code: "not-found" });
    expect(await memory.learnings.verify()).toEqual({ valid: true });
    expect(existsSync(`${memory.project.root}/.ralph`)).toBe(false);
  });
});

describe("a learning", () => {
  const learning = {
    type: "fact",
    taskType: "general",
    content: { description: "Retries need a limit" },
  } as const;

  it("is not stored with a content that could not be exported", async () => {
    const memory = await openScratchMemory();
    const content = { description: 7 } as never;
    await expect(memory.learnings.add({ ...learning, content })).rejects.toMatchObject({
      code: "wrong-use",
      message: "Invalid learning: description is not a string",
    });
    expect(await memory.learnings.list()).toEqual([]);
  });

  it("is not changed to an invalid one", async () => {
    const memory = await openScratchMemory();
    const stored = await memory.learnings.add(learning);
    await expect(memory.learnings.update(stored.id, { files: "a.ts" as never })).rejects.toMatchObject({
      code: "wrong-use",
      message: `The change would make ${stored.id} invalid: files is not a list of strings`,
    });
    expect(await memory.learnings.get(stored.id)).toEqual(stored);
  });
});
