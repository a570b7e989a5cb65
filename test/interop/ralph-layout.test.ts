import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ralphLayout } from "../../src/interop/ralph/layout.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { put, scratchFolder } from "../support/scratch.js";
import { describeLayout, exportTo, read, take, write } from "./layout-contract.js";

const memories = `# Memories

Written by hand, and kept.

## Patterns

### mem-1737372000-a1b2
> Uses barrel exports for each module
<!-- tags: imports, structure | created: 2026-01-20 -->

## Decisions

### mem-1737373000-g7h8
> Chose Postgres over SQLite
> because several people write
<!-- tags:  | created: 2026-01-21 -->

## Fixes

## Context
`;

const open = {
  id: "task-1737372000-00ff",
  title: "Teach the importer about time zones",
  description: "Offsets are dropped",
  key: "tz",
  status: "in_progress",
  priority: 1,
  blocked_by: ["task-1737371000-00aa"],
  created: "2026-01-20T11:20:00+00:00",
  started: "2026-01-20T12:00:00Z",
};
const closed = {
  id: "task-1737371000-00aa",
  title: "Read offsets",
  status: "closed",
  priority: 2,
  blocked_by: [],
  loop_id: "loop-7",
  created: "2026-01-20T11:03:20Z",
  closed: "2026-01-20T13:00:00Z",
};

const files = { "memories.md": memories, "tasks.jsonl": [open, closed] };

describeLayout({
  layout: "ralph",
  files,
  counts: { note: 2, task: 2, kept: 1 },
  found: ["barrel exports", "Postgres over SQLite", "importer about time zones", "Read offsets"],
  saying: (text) => ({
    ...files,
    "memories.md": memories.replace("Uses barrel exports for each module", text),
  }),
  json: "tasks.jsonl",
});

describe("memories of ralph-orchestrator", () => {
  it("keep their ids, also odd ones, and every byte that did not change here", async () => {
    const memory = await openScratchMemory();
    await take(memory, { layout: "ralph" }, write(files));
    expect((await memory.notes.list()).map(({ id }) => id).sort()).toEqual([
      "mem-1737372000-a1b2",
      "mem-1737373000-g7h8",
    ]);
    await memory.notes.edit("mem-1737373000-g7h8", {
      content: "Chose Postgres\nbecause several people write",
    });
    await memory.notes.delete("mem-1737372000-a1b2");
    const { note } = await memory.notes.add({ content: "Set TZ in tests", type: "fix" });
    const written = read(await exportTo(memory, "ralph"))["memories.md"];
    expect(written).toBe(
      memories
        .replace(/\n### mem-1737372000-a1b2[^#]*-->\n/, "")
        .replace("Chose Postgres over SQLite", "Chose Postgres")
        .replace(
          "## Fixes\n",
          `## Fixes\n\n### ${note.id}\n> Set TZ in tests\n<!-- tags:  | created: ${note.created} -->\n`,
        ),
    );
  });

  it("are found at the new place, and never where this project keeps its own", async () => {
    const root = scratchFolder();
    for (const place of [".agent", ".ralph/agent"]) {
      put(root, `${place}/memories.md`, memories);
    }
    expect(ralphLayout.find({ root, home: root, environment: {} })).toEqual([join(root, ".ralph/agent")]);
  });

  it("name tasks by the numbers that they have here", async () => {
    const memory = await openScratchMemory();
    await memory.tasks.init({ description: "Mine" });
    await take(memory, { layout: "ralph" }, write(files));
    const [first] = await memory.tasks.search({ text: "importer about time zones" });
    const [other] = await memory.tasks.search({ text: "Read offsets" });
    expect(first?.related_tasks).toEqual([other?.id]);
  });
});
