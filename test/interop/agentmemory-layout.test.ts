import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { describeLayout, take, write } from "./layout-contract.js";

const memoryOf = (id: string, more: object) => ({
  ...{ id, type: "fact", title: "", content: "", concepts: [], files: [], sessionIds: [], strength: 7 },
  ...{ version: 1, isLatest: true },
  ...{ createdAt: "2026-02-01T10:00:00.5Z", updatedAt: "2026-02-01T10:00:00.5Z" },
  ...more,
});
const pennies = memoryOf("mem_1_a", {
  ...{ type: "architecture", title: "Pennies", content: "Amounts are integer pennies" },
  ...{ concepts: ["money"], files: ["src/invoice.ts"] },
});
const memories = {
  mem_1_a: pennies,
  mem_2_b: memoryOf("mem_2_b", {
    ...{ type: "bug", content: "Floats drift – ünïcode", relatedIds: ["mem_1_a"], supersedes: ["mem_0"] },
  }),
  mem_3_c: memoryOf("mem_3_c", { content: "old wording", isLatest: false }),
};

describeLayout({
  layout: "agentmemory",
  files: { "standalone.json": { "mem:memories": memories } },
  counts: { learning: 2, link: 2 },
  found: ["Amounts are integer pennies", "Floats drift"],
  saying: (text) => ({ "standalone.json": { "mem:memories": { mem_1_a: { ...pennies, content: text } } } }),
  json: "standalone.json",
});

describe("an export of agentmemory's server", () => {
  const layout = "agentmemory" as const;
  const time = "2026-02-01T10:00:00Z";
  const exported = (project: string) => ({
    version: "0.9.29",
    memories: [pennies, memoryOf("mem_9", { content: "of another project", project: "/home/a/elsewhere" })],
    lessons: [
      { id: "l1", content: "Test the edges", context: "rounding", confidence: 0.8, createdAt: time },
      { id: "l2", content: "gone", confidence: 0.8, createdAt: time, deleted: true },
    ],
    actions: [
      { id: "a1", title: "Convert old invoices", description: "", status: "pending", createdAt: time },
      { id: "a2", title: "Add pennies", status: "done", result: "All green", createdAt: time },
    ],
    actionEdges: [{ id: "e1", type: "requires", sourceActionId: "a1", targetActionId: "a2" }],
    sessions: [
      { ...{ id: "s1", project, cwd: `/x/${project}`, startedAt: time, status: "completed" }, tags: [] },
    ],
    summaries: [
      { ...{ sessionId: "s1", title: "Fix the totals", narrative: "Integers everywhere" }, keyDecisions: [] },
    ],
    observations: {
      s1: [{ id: "o1", sessionId: "s1", timestamp: time, type: "file_edit", title: "Edited", files: [] }],
    },
    graphNodes: [],
  });

  it("brings lessons, work and sessions, of this project alone", async () => {
    const memory = await openScratchMemory();
    const folder = write({});
    const file = write({ "export.json": exported(basename(folder)) });
    const report = await take(memory, { layout, path: "export.json" }, file, { root: folder });
    expect(report.counts).toEqual({ task: { added: 3 }, learning: { added: 2 }, link: { added: 1 } });
    expect(report.leftOut).toEqual([
      "export.json: records of the project /home/a/elsewhere",
      "export.json: deleted records",
      'export.json: "graphNodes"',
    ]);
    const session = (await memory.tasks.list()).find(({ description }) => description === "Fix the totals");
    expect(await memory.tasks.history(session?.id ?? "", { isFull: true })).toMatchObject({
      attempts: [{ actions: [{ tool: "file_edit" }], outcome: { what_worked: ["Integers everywhere"] } }],
    });
  });

  it("may use words that every object knows", async () => {
    const memory = await openScratchMemory();
    const work = { id: "a1", title: "Convert old invoices", status: "toString", createdAt: time };
    const file = write({
      "export.json": {
        memories: [memoryOf("mem_1", { type: "constructor", content: "Amounts are integer pennies" })],
        actions: [work],
        constructor: [work],
      },
    });
    const report = await take(memory, { layout, path: "export.json" }, file);
    expect(report.leftOut).toEqual(['export.json: "constructor"']);
    expect(await memory.tasks.list()).toMatchObject([{ status: "paused" }]);
    expect(await memory.learnings.list()).toMatchObject([{ type: "fact" }]);
  });

  it("is refused if it is something else", async () => {
    const memory = await openScratchMemory();
    const file = write({ "export.json": { name: "a package" } });
    await expect(take(memory, { layout, path: "export.json" }, file)).rejects.toThrow(/holds no memories/);
  });
});
