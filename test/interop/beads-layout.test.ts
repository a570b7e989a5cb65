import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { describeLayout, take, write } from "./layout-contract.js";

const bug = {
  _type: "issue",
  id: "inv-k2p",
  title: "Invoices lose a penny",
  description: "Amounts are added as floats.",
  acceptance_criteria: "four tests pass",
  design: "Add integers",
  notes: "Format at the edge",
  status: "closed",
  priority: 0,
  issue_type: "bug",
  assignee: "agent-7",
  created_at: "2026-02-01T10:00:00+02:00",
  updated_at: "2026-02-01T09:00:00Z",
  started_at: "2026-02-01T08:10:00Z",
  closed_at: "2026-02-01T09:00:00Z",
  close_reason: "Fixed by integer pennies",
  metadata: { files: ["src/invoice.ts"] },
  labels: ["money"],
  comments: [{ id: "0197", author: "agent-7", text: "Floats drift", created_at: "2026-02-01T08:30:00Z" }],
};
const lines = [
  bug,
  {
    ...{ id: "inv-k2p.1", title: "Convert old invoices", status: "open", issue_type: "task" },
    ...{ created_at: "1970-01-01T00:00:00Z", updated_at: "2026-02-02T00:00:00Z" },
    comments: [{ id: 7, author: "dev", text: "An integer id", created_at: "2026-02-02T00:00:00Z" }],
    dependencies: [
      { issue_id: "inv-k2p.1", depends_on_id: "inv-k2p", type: "discovered-from", metadata: "{}" },
      { issue_id: "inv-k2p.1", depends_on_id: "external:other:cap", type: "blocks" },
    ],
  },
  {
    ...{ id: "inv-3", title: "Amounts are pennies", description: "Never floats", issue_type: "decision" },
    ...{ status: "closed", created_at: "2026-02-01T10:00:00Z", close_reason: "agreed in review" },
  },
  { id: "inv-4", title: "(deleted)", status: "tombstone", issue_type: "task" },
  { id: "inv-5", title: "Ping", status: "open", issue_type: "message", created_at: "2026-02-01T10:00:00Z" },
  { _type: "memory", key: "run-with-race", value: "run tests with -race" },
];

describeLayout({
  layout: "beads",
  files: { ".beads/issues.jsonl": lines, ".beads/metadata.json": { database: "beads.db" } },
  path: ".beads",
  counts: { task: 2, learning: 2, note: 1, link: 2 },
  found: ["Invoices lose a penny", "Convert old invoices", "Amounts are pennies", "run tests with -race"],
  saying: (text) => ({ ".beads/issues.jsonl": [{ ...bug, comments: [], notes: text }] }),
  json: ".beads/issues.jsonl",
});

describe("issues of beads", () => {
  const layout = "beads" as const;

  it("are tasks with what was done, said and depended on", async () => {
    const memory = await openScratchMemory();
    const report = await take(memory, { layout }, write({ ".beads/issues.jsonl": lines }));
    expect(report.leftOut).toEqual(["issues.jsonl: deleted issues", "issues.jsonl: issues of type message"]);
    const closed = await memory.tasks.history("task-001", { isFull: true });
    expect(closed).toMatchObject({
      ...{ status: "completed", completion_criteria: "four tests pass", tags: ["money", "bug"] },
      created: "2026-02-01T08:00:00.000Z",
      attempts: [
        {
          plan: { approach: "Add integers" },
          outcome: { status: "success", reason: "Fixed by integer pennies" },
        },
      ],
      reflections: [{ observation: "Floats drift" }],
    });
    expect(await memory.learnings.list({ type: "antipattern" })).toMatchObject([
      { content: { description: "Invoices lose a penny", prevention: "Fixed by integer pennies" } },
    ]);
    const open = await memory.tasks.history("task-002", { isFull: true });
    expect(open).toMatchObject({
      ...{ status: "paused", related_tasks: ["task-001"], created: "2026-02-02T00:00:00.000Z" },
    });
    expect(await memory.links.list()).toMatchObject([
      { from: "task-002", to: "task-001", relation: "derived_from" },
    ]);
    expect(report.dangling).toMatchObject([{ to: "external:other:cap" }]);
  });

  it("are brought up to date when they are imported again", async () => {
    const memory = await openScratchMemory();
    const open = { ...bug, status: "in_progress", closed_at: undefined, close_reason: undefined };
    await take(memory, { layout }, write({ ".beads/issues.jsonl": [open] }));
    const later = { ...bug, updated_at: "2026-02-03T00:00:00Z" };
    const report = await take(memory, { layout }, write({ ".beads/issues.jsonl": [later] }));
    expect(report.counts.task).toEqual({ updated: 1 });
    expect(await memory.tasks.history("task-001", { isFull: true })).toMatchObject({
      ...{ status: "completed", attempts: [{ outcome: { status: "success" } }] },
    });
  });

  it("are read from where a worktree redirects, but from no other folder", async () => {
    const memory = await openScratchMemory();
    const main = write({ ".beads/issues.jsonl": [bug] });
    const report = await take(memory, { layout }, write({ ".beads/redirect": `${join(main, ".beads")}\n` }));
    expect(report.counts.task).toEqual({ added: 1 });
    const astray = write({ ".beads/redirect": `${main}\n` });
    await expect(take(memory, { layout }, astray)).rejects.toThrow(/redirect names no folder \.beads/);
  });

  it("are asked for if there is only a database", async () => {
    const memory = await openScratchMemory();
    const folder = write({ ".beads/dolt/": "" });
    await expect(take(memory, { layout }, folder)).rejects.toThrow(/has a database, but no issues\.jsonl/);
  });
});
