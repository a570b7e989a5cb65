import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";

describe("lists that are read in pages", () => {
  it("of tasks have no gap and no repetition, and their counts add up", async () => {
    const { tasks } = await openScratchMemory();
    for (let number = 1; number <= 7; number += 1) await tasks.init({ description: `Task ${number}` });
    await tasks.start("task-002");
    await tasks.complete("task-002", { outcome: "success" });
    const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);
    const pages = [0, 3, 6].map((offset) => tasks.list({ limit: 3, offset }));
    expect((await Promise.all(pages)).flatMap(ids)).toEqual(ids(await tasks.list()));
    const counts = await tasks.count();
    expect(counts.completed).toBe(1);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(7);
    expect(await tasks.count({ statuses: ["failed"] })).toEqual({});
  });

  it("of notes and learnings do so, too", async () => {
    const { notes, learnings } = await openScratchMemory();
    for (const content of ["one thing", "another thing", "a third thing"])
      await notes.add({ content, type: content === "one thing" ? "fix" : "context" });
    expect(await notes.count()).toEqual({ fix: 1, context: 2 });
    expect((await notes.list({ limit: 2, offset: 2 })).length).toBe(1);
    for (const description of ["Cache the tokens", "Retry the upload", "Round at the end"])
      await learnings.add({ type: "fact", taskType: "general", content: { description } });
    const [first, ...rest] = await learnings.list();
    expect(await learnings.list({ limit: 1 })).toEqual([first]);
    expect(await learnings.list({ limit: 5, offset: 1 })).toEqual(rest);
    expect(await learnings.count({ type: "fact" })).toBe(3);
    expect(await learnings.count({ isCredited: true })).toBe(0);
    expect((await learnings.search({ text: "uploads" })).map(({ content }) => content.description)).toEqual([
      "Retry the upload",
    ]);
  });
});

describe("what a learning is worth", () => {
  it("is told as the success rate of tasks that were shown it, between bounds", async () => {
    const { tasks, learnings } = await openScratchMemory();
    const { id } = await learnings.add({
      type: "strategy",
      taskType: "bug-fix",
      content: { description: "Start the database before the login tests" },
    });
    for (let round = 0; round < 3; round += 1) {
      const task = await tasks.init({ description: "Fix the failing login tests that need the database" });
      await tasks.start(task.id);
      await tasks.complete(task.id, { outcome: "success" });
    }
    expect(await learnings.count({ isCredited: true })).toBe(1);
    const [weighed, ...others] = await learnings.weigh();
    expect(others).toEqual([]);
    expect(weighed?.id).toBe(id);
    expect(weighed?.successes).toBe(weighed?.trials);
    expect(weighed?.lower).toBeGreaterThan(0);
    expect(weighed?.upper).toBe(1);
    expect(await learnings.weigh([id])).toEqual([weighed]);
    expect((await tasks.shown("task-001")).records).toContainEqual({ id, kind: "learning" });
  });

  it("has a line of those that it replaced, and of those that replaced it", async () => {
    const { learnings, links } = await openScratchMemory();
    const add = async (description: string) =>
      (await learnings.add({ type: "fact", taskType: "general", content: { description } })).id;
    const [oldest, older, newest] = [await add("Node 16"), await add("Node 18"), await add("Node 20")];
    await links.add({ from: older, relation: "supersedes", to: oldest });
    await links.add({ from: newest, relation: "supersedes", to: older });
    const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);
    expect(ids((await learnings.lineage(newest)).older)).toEqual([older, oldest]);
    expect(ids((await learnings.lineage(oldest)).newer)).toEqual([older, newest]);
  });
});

describe("an explained recall", () => {
  it("tells what did not fit, and what says the same as another entry", async () => {
    const { notes, recall } = await openScratchMemory();
    const same = "Start the database with docker compose up before the login tests are run";
    await notes.add({ content: same, type: "fix" });
    await notes.add({ content: same, type: "context" });
    for (let number = 0; number < 12; number += 1)
      await notes.add({
        content: `The login tests need the database, part ${number}: ${"and some more words ".repeat(12)}`,
      });
    const asked = { objective: "Fix the login tests with the database", budgetTokens: 300 };
    const { entries, omitted = [] } = await recall({ ...asked, isExplained: true });
    expect(entries.length).toBeGreaterThan(0);
    const reasons = omitted.map(({ reason }) => reason);
    expect(reasons).toContain("no room");
    expect(reasons).toContain("says the same");
    expect((await recall(asked)).omitted).toBeUndefined();
  });
});
