import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PortLayout } from "../../src/interop/layout.js";
import { loadLayout } from "../../src/interop/layout.js";
import { syncLayout } from "../../src/interop/sync-layout.js";
import type { Memory } from "../../src/memory/memory.js";
import { eventually } from "../support/eventually.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { scratchFolder } from "../support/scratch.js";
import { dump, exportTo, read, take } from "./layout-contract.js";

async function finish(memory: Memory, description: string): Promise<void> {
  const { id } = await memory.tasks.init({ description });
  await memory.tasks.start(id);
  await memory.tasks.complete(id, { outcome: "success", whatWorked: ["Read the log first"] });
}

describe("a folder that is kept in step", () => {
  it("is written after each finished task, and takes in what the other tool adds", async () => {
    const memory = await openScratchMemory();
    const folder = scratchFolder();
    const stopping = new AbortController();
    const problems: string[] = [];
    let exports = 0;
    const done = syncLayout(memory, await loadLayout("ralph"), folder, {
      surroundings: { root: memory.project.root, home: folder, environment: {} },
      stop: stopping.signal,
      everyMs: 5,
      onExported: () => {
        exports += 1;
      },
      onProblem: ({ message }) => problems.push(message),
    });
    await eventually(() => exports === 1);
    const path = join(folder, "tasks.jsonl");
    const added = { id: "task-1737372000-00ff", title: "Theirs", status: "open", created: "2026-01-20" };
    writeFileSync(path, `${JSON.stringify(added)}\n`);
    await finish(memory, "Ours");
    await eventually(() => readFileSync(path, "utf8").includes("Ours"));
    expect(readFileSync(path, "utf8")).toContain("Theirs");
    expect(await memory.tasks.search({ text: "Theirs" })).toHaveLength(1);
    writeFileSync(path, "{ cut");
    await finish(memory, "Another");
    await eventually(() => problems.length === 1);
    expect(readFileSync(path, "utf8")).toBe("{ cut");
    stopping.abort();
    await done;
  });
});

describe("what was exported from here", () => {
  /** Those whose tools may go on beside Ralph. */
  const published: PortLayout[] = ["aiwg", "episodic", "cross-task", "ralph", "loki"];

  it.each(published)("to %s adds nothing when it is imported again", async (layout) => {
    const memory = await openScratchMemory();
    await finish(memory, "Fix the flaky login test");
    await memory.notes.add({ content: "Set TZ in tests", type: "fix", tags: ["tests"] });
    await memory.learnings.add({
      type: "strategy",
      taskType: "feature",
      confidence: 0.8,
      successRate: 0.9,
      sourceLoops: ["task-001"],
      content: { description: "Ship small steps" },
    });
    const before = (await dump(memory)).length;
    const folder = await exportTo(memory, layout);
    const { counts } = await take(memory, { layout }, folder);
    const rows = await memory.imports.originals(layout);
    expect(JSON.stringify(counts)).not.toMatch(/"(?:renumbered|updated|waiting|superseded|skipped)"/);
    expect((await dump(memory)).length).toBe(before + rows.length);
    expect(read(await exportTo(memory, layout))).toEqual(read(folder));
  });
});
