import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveRecordId } from "../../../src/memory/links/links.js";
import type { Memory } from "../../../src/memory/memory.js";
import { projectOf } from "../../../src/memory/project-of.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchFolder } from "../../support/scratch.js";

const fact = (description: string, confidence = 0.8) => ({
  type: "fact" as const,
  taskType: "general",
  content: { description },
  confidence,
});

describe("a link", () => {
  const pair = async (): Promise<{ memory: Memory; one: string; other: string }> => {
    const memory = await openScratchMemory();
    const one = await memory.learnings.add(fact("The build takes four minutes"));
    const other = await memory.learnings.add(fact("Releases go out on Fridays"));
    return { memory, one: one.id, other: other.id };
  };

  it("is the same from either end", async () => {
    const { memory, one, other } = await pair();
    expect(await memory.links.add({ from: one, to: other, relation: "supersedes" })).toMatchObject({
      isNew: true,
    });
    expect(await memory.links.add({ from: other, to: one, relation: "superseded_by" })).toMatchObject({
      isNew: false,
    });
    expect(await memory.links.list()).toHaveLength(1);
    expect((await memory.learnings.get(other)).superseded_by).toBe(one);
    await memory.links.remove({ from: other, to: one, relation: "superseded_by" });
    expect((await memory.learnings.get(other)).superseded_by).toBeUndefined();
    await expect(memory.links.remove({ from: one, to: other, relation: "supersedes" })).rejects.toMatchObject(
      { code: "not-found" },
    );
  });

  it("accepts ids and unique prefixes of existing records", async () => {
    const { memory, one } = await pair();
    await memory.tasks.init({ description: "Fix it" });
    await memory.tasks.start("task-001");
    expect(await resolveRecordId(projectOf(memory), one.slice("learn-".length, -3))).toBe(one);
    expect(await resolveRecordId(projectOf(memory), "task-1/1")).toBe("task-001/1");
    await expect(resolveRecordId(projectOf(memory), "cut-release")).rejects.toThrow(
      "No record has the id cut-release",
    );
    const folder = join(scratchFolder(), "cut-release");
    mkdirSync(folder);
    writeFileSync(
      join(folder, "SKILL.md"),
      "---\nname: cut-release\ndescription: Tag and publish a version\n---\n\n1. Tag it\n",
    );
    await memory.skills.add(folder);
    expect(await resolveRecordId(projectOf(memory), "cut-release")).toBe("cut-release");
    expect(await resolveRecordId(projectOf(memory), "skill: cut-release")).toBe("cut-release");
    await expect(resolveRecordId(projectOf(memory), "task-001/2")).rejects.toThrow(
      "task-001 has no attempt 2",
    );
    await expect(resolveRecordId(projectOf(memory), "mem-1-a1b2")).rejects.toThrow("Memory not found");
    await expect(resolveRecordId(projectOf(memory), " ")).rejects.toThrow("The record id is missing");
  });

  it("has one of seven relations, and a superseding one hides a learning", async () => {
    const memory = await openScratchMemory();
    const store = (description: string) =>
      memory.learnings.add({ type: "pattern", taskType: "general", content: { description } });
    const one = await store("Retries need a limit");
    const other = await store("Queues need a dead letter box");
    expect(await memory.links.add({ from: one.id, to: other.id, relation: "elaborates" })).toMatchObject({
      isNew: true,
    });
    expect(await memory.links.add({ from: one.id, to: other.id, relation: "elaborates" })).toMatchObject({
      isNew: false,
    });
    await memory.links.add({ from: one.id, to: other.id, relation: "superseded_by" });
    expect((await memory.learnings.list()).map(({ id }) => id)).toEqual([other.id]);
    await expect(
      memory.links.add({ from: one.id, to: other.id, relation: "replaces" as never }),
    ).rejects.toMatchObject({ code: "wrong-use" });
    await expect(memory.links.add({ from: one.id, to: one.id, relation: "elaborates" })).rejects.toThrow();
  });
});
