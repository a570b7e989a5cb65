import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

describe("learnings about the same thing with another value", () => {
  it("supersede the older ones, which are kept", async () => {
    const memory = await openScratchMemory();
    const fact = (description: string) =>
      memory.learnings.add({ type: "fact", taskType: "general", content: { description }, confidence: 0.9 });
    const older = await fact("We use PostgreSQL 14 in production");
    const newer = await fact("We use PostgreSQL 16 in production");
    expect(await memory.learnings.list()).toEqual([newer]);
    expect(await memory.learnings.get(older.id)).toMatchObject({ superseded_by: newer.id });
    expect(await memory.links.list(older.id)).toMatchObject([{ relation: "superseded_by", to: newer.id }]);
    await memory.links.remove({ from: newer.id, to: older.id, relation: "supersedes" });
    expect(await memory.learnings.list()).toHaveLength(2);
  });

  it("that say the opposite are linked as a contradiction", async () => {
    const memory = await openScratchMemory();
    const convention = (pattern: string) =>
      memory.learnings.add({ type: "convention", taskType: "general", content: { pattern } });
    const one = await convention("Always mock the network in unit tests");
    const other = await convention("Never mock the network in unit tests");
    expect(await memory.links.list(one.id)).toMatchObject([{ relation: "contradicts", to: other.id }]);
    expect(await memory.learnings.list()).toHaveLength(2);
  });
});
