import { describe, expect, it } from "vitest";
import { deniesRemedy } from "../../../src/semantic/records/link-to-older.js";
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

const older = {
  problem: "npm ERR! ERESOLVE could not resolve the peer dependency of the chart package",
  remedy: "run `npm install --legacy-peer-deps`",
};

describe("a newer statement", () => {
  it.each([
    "Upgrade the chart package for the peer dependency instead of using --legacy-peer-deps",
    "Never use --legacy-peer-deps: pin the peer dependency of the chart package",
    "The peer dependency of charts is pinned, do not install with --legacy-peer-deps",
  ])("denies a remedy that it says not to use, about the same topic: %s", (newer) => {
    expect(deniesRemedy(newer, older)).toBe(true);
  });

  it.each([
    [
      "it recommends it",
      "Install with --legacy-peer-deps when a peer dependency of the chart package conflicts",
    ],
    ["it is about something else", "Do not pass --legacy-peer-deps to the docs site"],
    ["it names another option", "Never use --force for the peer dependency of the chart package"],
    ["it denies in general", "Do not install the chart package by hand when a peer dependency conflicts"],
  ])("does not when %s", (_why, newer) => {
    expect(deniesRemedy(newer, older)).toBe(false);
  });
});
