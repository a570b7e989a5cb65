import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { git, scratchRepository } from "../../support/scratch.js";

const open = async (root = scratchRepository()) => ({ memory: await openScratchMemory({ root }), root });

const fact = (description: string, confidence = 0.8) => ({
  type: "fact" as const,
  taskType: "general",
  content: { description },
  confidence,
});

describe("staleness", () => {
  it("is told of a learning whose own files changed a lot since its commit, whatever their names", async () => {
    const { memory, root } = await open();
    const path = "grün ß.txt";
    const commit = (text: string) => {
      writeFileSync(join(root, path), text);
      writeFileSync(join(root, "steady.txt"), "a\nb\n");
      git(root, "add", path, "steady.txt");
      git(root, "commit", "--quiet", "--message", "change", "--allow-empty");
      return git(root, "rev-parse", "HEAD").trim();
    };
    const first = commit("one\ntwo\nthree\n");
    const learning = await memory.learnings.add(fact("It has three lines"));
    const about = (files: string[]) => [{ ...learning, git_commit: first, files }];
    expect(await memory.learnings.findStale(about([path]))).toEqual([]);
    commit("four\nfive\nsix\n");
    expect(await memory.learnings.findStale(about([path]))).toMatchObject([
      { id: learning.id, files: [path] },
    ]);
    expect(await memory.learnings.findStale(about(["steady.txt"]))).toEqual([]);
    expect(
      await memory.learnings.findStale([{ ...learning, git_commit: "0badc0de", files: [path] }]),
    ).toEqual([]);
  });

  it("can be told of what a task taught: its files and its commit are remembered", async () => {
    const { memory } = await open();
    await memory.tasks.init({ description: "Fix the rounding" });
    await memory.tasks.start("task-001");
    await memory.tasks.log("task-001", [
      { tool: "Edit", type: "edit", params: { file_path: "src/total.js" } },
    ]);
    await memory.tasks.complete("task-001", {
      outcome: "success",
      whatWorked: ["Round once at the end of the sum"],
      gitCommit: "abc1234",
    });
    expect(await memory.learnings.list({ type: "strategy" })).toMatchObject([
      { files: ["src/total.js"], git_commit: "abc1234", source_episodes: ["task-001/1"] },
    ]);
  });
});
