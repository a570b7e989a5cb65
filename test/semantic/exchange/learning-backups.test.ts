import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const open = async (root = scratchRepository()) => ({ memory: await openScratchMemory({ root }), root });

const fact = (description: string, confidence = 0.8) => ({
  type: "fact" as const,
  taskType: "general",
  content: { description },
  confidence,
});

describe("a backup", () => {
  it("of damaged learnings does not count as a good one", async () => {
    const { memory, root } = await open();
    const { id } = await memory.learnings.add(fact("The build takes four minutes"));
    await memory.learnings.backUp();
    const store = await openStore({ directory: join(root, ".ralph") });
    const row = await store.learnings.find(id);
    if (row === undefined) throw new Error("It has not been stored");
    const content = { description: "The build takes forty minutes" };
    await store.learnings.save({ ...row, learning: { ...row.learning, content } });
    await store.close();
    expect(await memory.learnings.verify()).toMatchObject({ valid: false });
    await memory.learnings.prune({ minQuality: 0 });
    expect(
      readdirSync(join(root, ".ralph/backups")).filter((name) => name.startsWith("damaged-")),
    ).toHaveLength(1);
    await memory.learnings.restore();
    expect((await memory.learnings.get(id)).content.description).toBe("The build takes four minutes");
    expect(await memory.learnings.verify()).toEqual({ valid: true });
  });

  it("restores learnings exactly, also after pruning", async () => {
    const memory = await openScratchMemory();
    const kept = await memory.learnings.add({
      type: "pattern",
      taskType: "general",
      content: { description: "Retries need a limit" },
      confidence: 0.2,
    });
    expect(await memory.learnings.prune({ minQuality: 0.4, dryRun: true })).toMatchObject([
      { reason: "confidence 0.2 is below 0.4" },
    ]);
    expect(await memory.learnings.list()).toEqual([kept]);
    await memory.learnings.prune({ minQuality: 0.4 });
    expect(await memory.learnings.list()).toEqual([]);
    expect(await memory.learnings.restore()).toMatchObject({ learnings: 1 });
    expect(await memory.learnings.list()).toEqual([kept]);
    await expect(memory.learnings.restore("/no/such/file.json")).rejects.toMatchObject({
      code: "file-unusable",
    });
  });
});
