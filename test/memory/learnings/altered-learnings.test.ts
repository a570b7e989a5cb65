import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Learning } from "../../../src/domain/knowledge/learning.js";
import { MemoryRetrieval } from "../../../src/memory/learnings/published-classes/memory-retrieval.js";
import { SemanticMemory } from "../../../src/memory/learnings/published-classes/semantic-memory.js";
import type { Memory } from "../../../src/memory/memory.js";
import { sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const strategy = (description: string) => ({
  type: "strategy" as const,
  taskType: "test-fix",
  content: { description },
  confidence: 0.8,
  successRate: 0.9,
});

/** A store with a good learning, and one of which a single word was changed behind Ralph's back. */
async function memoryWithAltered({ isBackedUp = false } = {}) {
  const root = scratchRepository();
  const memory = await openScratchMemory({ root });
  const good = await memory.learnings.add(strategy("Start the mail server before the postbox tests"));
  const altered = await memory.learnings.add(strategy("Reset the postbox tests with make clean-mail"));
  if (isBackedUp) await memory.learnings.backUp();
  await alter(root, altered, "replace(record, 'clean-mail', 'delete-all')");
  return { memory, root, good, altered };
}

/** As somebody with another program would. */
async function alter(root: string, { id }: Learning, change: string): Promise<void> {
  const database = (await loadSqliteEngine()).open(sqlitePath(join(root, ".ralph")));
  database.exec(`UPDATE learnings SET record = ${change} WHERE id = '${id}'`);
  database.close();
}

const objective = "Fix the postbox tests";
const shownIds = async (memory: Memory) =>
  (await memory.recall({ objective })).entries.map(({ id }) => id).sort();

describe("a learning that something other than Ralph changed", () => {
  it("is not recalled, which the recall says", async () => {
    const { memory, good, altered } = await memoryWithAltered();
    const recalled = await memory.recall({ objective });
    expect(recalled.entries.map(({ id }) => id)).toEqual([good.id]);
    expect(recalled.text).not.toContain("delete-all");
    expect(recalled.altered).toEqual([altered.id]);
    expect(recalled.records.map(({ id }) => id)).toEqual([good.id]);
    expect((await memory.recall({ objective: "Write a haiku about autumn" })).altered).toBeUndefined();
  });

  it("is not given to loops of other tools", async () => {
    const { memory } = await memoryWithAltered();
    const retrieval = new MemoryRetrieval(memory);
    const { strategies, summary } = await retrieval.getRelevantKnowledge({ objective });
    expect(strategies).toHaveLength(1);
    expect(summary).not.toContain("delete-all");
    expect(await retrieval.getTopLearnings({ objective })).toHaveLength(1);
  });

  it("is named by the doctor, with what can be done", async () => {
    const { memory, good, altered } = await memoryWithAltered();
    const { isHealthy, checks } = await memory.checkHealth({ repair: false });
    const { status, detail = "" } = checks.find(({ part }) => part === "learnings") ?? {};
    expect([isHealthy, status]).toEqual([false, "failed"]);
    expect(detail).toContain(altered.id);
    expect(detail).not.toContain(good.id);
    for (const way of ["restore --altered", "verify --accept", "delete"])
      expect(detail).toContain(`ralph learnings ${way}`);
  });

  it("does not become a note", async () => {
    const { memory, altered } = await memoryWithAltered();
    await expect(memory.learnings.publish(altered.id)).rejects.toMatchObject({ code: "wrong-use" });
    expect(await memory.notes.list()).toEqual([]);
  });

  it("stays one, whatever Ralph records about it", async () => {
    const { memory, altered } = await memoryWithAltered();
    await memory.learnings.update(altered.id, { confidence: 0.4 });
    await new SemanticMemory(memory).retrieve(altered.id);
    const other = await memory.learnings.add(strategy("Something else"));
    await memory.links.add({ from: other.id, to: altered.id, relation: "supersedes" });
    expect(await memory.learnings.findAltered()).toEqual([altered.id]);
  });

  it("takes no part in merging: what is learned again is a learning of its own", async () => {
    const { memory, altered } = await memoryWithAltered();
    const twin = await memory.learnings.add(strategy("Reset the postbox tests with make delete-all"));
    expect(await memory.learnings.mergeDuplicates()).toEqual([]);
    expect(await memory.learnings.findAltered()).toEqual([altered.id]);
    await memory.learnings.stage([
      { ...strategy("Reset the postbox tests with make delete-all"), sourceLoops: ["task-009"] },
    ]);
    await memory.learnings.validateStaged();
    await memory.learnings.promoteStaged();
    expect((await memory.learnings.get(twin.id)).sourceLoops).toContain("task-009");
    expect((await memory.learnings.get(altered.id)).sourceLoops).not.toContain("task-009");
  });

  it("is neither exported nor in the way of an import that has it unchanged", async () => {
    const { memory, altered, good } = await memoryWithAltered();
    const { text, count, altered: left } = await memory.learnings.export();
    expect([count, left]).toEqual([1, 1]);
    expect(text).not.toContain("delete-all");
    expect((await memory.learnings.export("markdown")).text).not.toContain("delete-all");
    const elsewhere = await openScratchMemory();
    await new SemanticMemory(elsewhere).save({
      ...(await new SemanticMemory(elsewhere).load()),
      learnings: [good, altered],
    });
    await memory.learnings.import((await elsewhere.learnings.export()).text);
    expect((await memory.learnings.get(altered.id)).content).toEqual(altered.content);
    expect(await memory.learnings.findAltered()).toEqual([]);
  });

  it("is shown again once it is accepted, restored or imported; a deleted one is gone", async () => {
    const accepted = await memoryWithAltered();
    await accepted.memory.learnings.acceptAltered(accepted.altered.id);
    expect(await shownIds(accepted.memory)).toEqual([accepted.good.id, accepted.altered.id].sort());
    expect(await accepted.memory.learnings.verify()).toEqual({ valid: true });

    const restored = await memoryWithAltered({ isBackedUp: true });
    const later = await restored.memory.learnings.add(strategy("Postbox tests need a postbox"));
    expect(await restored.memory.learnings.restoreAltered()).toEqual({
      restored: [restored.altered.id],
      missing: [],
    });
    expect(await restored.memory.learnings.get(restored.altered.id)).toEqual(restored.altered);
    expect(await restored.memory.learnings.get(later.id)).toEqual(later);
    expect(await restored.memory.learnings.verify()).toEqual({ valid: true });

    const deleted = await memoryWithAltered();
    await deleted.memory.learnings.delete(deleted.altered.id);
    expect(await deleted.memory.learnings.verify()).toEqual({ valid: true });
  });

  it("is no reason to recall nothing when its record cannot even be read", async () => {
    const { memory, root, altered } = await memoryWithAltered();
    await alter(root, altered, "substr(record, 1, 40)");
    const recalled = await memory.recall({ objective, notes: "all" });
    expect(recalled.altered).toEqual([altered.id]);
    expect((await memory.checkHealth({ repair: false })).isHealthy).toBe(false);
  });
});

describe("load", () => {
  it("takes altered learnings from a backup", async () => {
    const { memory, altered } = await memoryWithAltered({ isBackedUp: true });
    const published = new SemanticMemory(memory);
    const { learnings, checksum } = await published.load();
    expect(learnings.find(({ id }) => id === altered.id)?.content).toEqual(altered.content);
    expect(checksum).toBe(published.calculateChecksum(learnings));
    expect(await published.verify()).toEqual({ valid: true });
  });

  it("throws when no backup has them", async () => {
    const { memory, altered } = await memoryWithAltered();
    await expect(new SemanticMemory(memory).load()).rejects.toMatchObject({
      code: "store-damaged",
      message: `Knowledge store corrupted and backup recovery failed: ${altered.id}`,
    });
  });
});

describe("Ralph's own changes", () => {
  it("leave every learning with a checksum that matches", async () => {
    const memory = await openScratchMemory();
    const [one, other, third] = [
      await memory.learnings.add(strategy("Start the mail server before the postbox tests")),
      await memory.learnings.add(strategy("Start the mail server before the postbox tests")),
      await memory.learnings.add({ ...strategy("Postbox tests need a postbox"), files: ["a.ts"] }),
    ];
    await memory.learnings.update(one.id, {
      confidence: 0.123456789,
      content: { description: "ä\u2028\ud800" },
    });
    await memory.links.add({ from: other.id, to: third.id, relation: "supersedes" });
    await memory.learnings.mergeDuplicates();
    const { id } = await memory.tasks.init({ description: objective });
    await memory.tasks.start(id, {});
    await memory.recall({ taskId: id });
    await memory.tasks.complete(id, { outcome: "success", whatWorked: ["Started the mail server first"] });
    await memory.learnings.consolidate({ since: "2000-01-01T00:00:00.000Z" });
    await memory.learnings.delete(other.id);
    expect(await memory.learnings.findAltered()).toEqual([]);
  });
});
