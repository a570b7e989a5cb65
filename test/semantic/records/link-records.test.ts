import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { resolveRecordId } from "../../../src/memory/resolve-record-id.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

const fact = (description: string, confidence = 0.8) => ({
  type: "fact" as const,
  taskType: "general",
  content: { description },
  confidence,
});

describe("a link", () => {
  const pair = async (): Promise<{ memory: Memory; one: string; other: string }> => {
    const memory = await openScratchMemory();
    const one = await memory.storeLearning(fact("The build takes four minutes"));
    const other = await memory.storeLearning(fact("Releases go out on Fridays"));
    return { memory, one: one.id, other: other.id };
  };

  it("is the same from either end", async () => {
    const { memory, one, other } = await pair();
    expect(await memory.addLink({ from: one, to: other, relation: "supersedes" })).toBe(true);
    expect(await memory.addLink({ from: other, to: one, relation: "superseded_by" })).toBe(false);
    expect(await memory.listLinks()).toHaveLength(1);
    expect((await memory.getLearning(other)).superseded_by).toBe(one);
    expect(await memory.removeLink({ from: other, to: one, relation: "superseded_by" })).toBe(true);
    expect((await memory.getLearning(other)).superseded_by).toBeUndefined();
    expect(await memory.removeLink({ from: one, to: other, relation: "supersedes" })).toBe(false);
  });

  it("names records that exist, shortened or whole", async () => {
    const { memory, one } = await pair();
    await memory.initTask({ description: "Fix it" });
    await memory.startAttempt("task-001");
    expect(await resolveRecordId(memory, one.slice("learn-".length, -3))).toBe(one);
    expect(await resolveRecordId(memory, "task-1/1")).toBe("task-001/1");
    expect(await resolveRecordId(memory, "skill-release")).toBe("skill-release");
    await expect(resolveRecordId(memory, "task-001/2")).rejects.toThrow("task-001 has no attempt 2");
    await expect(resolveRecordId(memory, "mem-1-a1b2")).rejects.toThrow("Memory not found");
    await expect(resolveRecordId(memory, " ")).rejects.toThrow("The id of a record is missing");
  });
});
