import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { put, scratchRepository } from "../support/scratch.js";
import { writeWordVectors } from "../support/word-vectors.js";

async function finished(settings = "") {
  const cwd = scratchRepository();
  if (settings !== "") writeFileSync(join(cwd, "ralph.yml"), settings);
  const ralph = (...args: string[]) => runRalph(args, { cwd });
  await ralph("task", "init", "Fix the login test");
  await ralph("task", "start", "task-001");
  await ralph(
    "task",
    "complete",
    "task-001",
    "--outcome",
    "success",
    "--quality",
    "0.9",
    "--worked",
    "Seed the users",
  );
  await ralph("task", "init", "Not finished");
  return { cwd, ralph };
}

describe("the export for cross-task learning", () => {
  it("writes the index and the reflections of finished tasks, and history shows the same record", async () => {
    const { cwd, ralph } = await finished();
    const { stdout, status } = await ralph("export", "cross-task", "out", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tasks: 1, index_file: join(cwd, "out/task-index.json") });
    const index = JSON.parse(readFileSync(join(cwd, "out/task-index.json"), "utf8"));
    expect(index).toMatchObject({
      version: "1.0.0",
      tasks: [{ task_description: "Fix the login test", outcome: "success", final_quality: 0.9 }],
    });
    const [{ task_id: id, reflections }] = index.tasks;
    expect(readdirSync(join(cwd, "out/reflections"))).toEqual([`${id}.json`]);
    expect(JSON.parse(readFileSync(join(cwd, `out/reflections/${id}.json`), "utf8"))).toEqual({
      task_id: id,
      reflections,
    });
    const history = JSON.parse((await ralph("history", "task-001", "--json")).stdout);
    expect(history.task_memory).toEqual(index.tasks[0]);
    expect((await ralph("export", "cross-task", "out")).status).not.toBe(0);
    expect((await ralph("export", "cross-task", "out", "--force")).status).toBe(0);
  });

  it("contains the vectors of tasks in the configured folder if an embedder is set", async () => {
    const settings = `embedder:\n  use: static\n  path: words.txt\ncross_task_learning:\n  storage:\n    embeddings_path: vectors/\n`;
    const { cwd, ralph } = await finished(settings);
    writeWordVectors(cwd);
    await ralph("export", "cross-task", "before");
    const tasksIn = (path: string) => JSON.parse(readFileSync(join(cwd, path), "utf8")).tasks;
    expect(tasksIn("before/task-index.json")[0]).not.toHaveProperty("embedding_path");
    expect(existsSync(join(cwd, "before/embeddings"))).toBe(false);
    await ralph("index", "embed");
    expect((await ralph("export", "cross-task")).status).toBe(0);
    const folder = ".aiwg/ralph/memory";
    const [{ task_id: id, embedding_path: path }] = tasksIn(`${folder}/task-index.json`);
    expect(path).toBe(`../../../vectors/${id}.json`);
    const vector = JSON.parse(readFileSync(join(cwd, folder, path), "utf8"));
    expect(vector).toMatchObject({ task_id: id, model: "static words.txt", dimensions: 6 });
    expect(Math.hypot(...vector.embedding)).toBeCloseTo(1, 2);
    // "login" is the fourth meaning in the table.
    expect(vector.embedding.indexOf(Math.max(...vector.embedding))).toBe(3);
  });

  it("writes each reflection of a task to a file, and only those in its window unless all are kept", async () => {
    const storage = (more: string) =>
      `memory_config:\n  default_capacity: 1\n  storage:\n    reflections_path: "loops/{loop_id}/thoughts/"\n${more}`;
    const { cwd, ralph } = await finished(storage(""));
    await ralph("task", "reflect", "task-001", "Reset the session first");
    const thoughts = () => readdirSync(join(cwd, "loops/task-001/thoughts"));
    const read = (name: string) =>
      JSON.parse(readFileSync(join(cwd, "loops/task-001/thoughts", name), "utf8"));
    const exported = () =>
      JSON.parse(readFileSync(join(cwd, ".aiwg/ralph/memory/task-index.json"), "utf8")).tasks[0].reflections;
    expect((await ralph("export", "cross-task")).status).toBe(0);
    const all = exported();
    expect(all.length).toBeGreaterThan(1);
    expect(thoughts().map(read)).toEqual(all);
    expect(read(thoughts().at(-1) ?? "").content).toContain("Reset the session");
    rmSync(join(cwd, "loops"), { recursive: true });
    writeFileSync(join(cwd, "ralph.yml"), storage("    all_reflections_kept: false\n"));
    expect((await ralph("export", "cross-task", "--force")).status).toBe(0);
    expect(exported()).toEqual(all.slice(-1));
    expect(thoughts().map(read)).toEqual(all.slice(-1));
    expect(JSON.parse((await ralph("history", "task-001", "--json")).stdout).reflections).toHaveLength(
      all.length,
    );
  });

  it("keeps the reflections of tasks apart without a placeholder, and inside the project", async () => {
    const { cwd, ralph } = await finished("memory_config:\n  storage:\n    reflections_path: thoughts\n");
    await ralph("export", "cross-task");
    expect(readdirSync(join(cwd, "thoughts"))).toEqual(["task-001"]);
    put(cwd, "ralph.yml", 'memory_config:\n  storage:\n    reflections_path: "../{loop_id}"\n');
    const { status, stderr } = await ralph("export", "cross-task", "--force");
    expect(status).not.toBe(0);
    expect(stderr).toContain("memory_config.storage.reflections_path is outside the project: ../task-001");
    expect(existsSync(join(cwd, "../task-001"))).toBe(false);
  });

  it("goes where the published settings say, but never outside the project", async () => {
    const storage = (path: string) =>
      `cross_task_learning:\n  storage:\n    memory_path: ${path}\n    index_file: index.json\n    embeddings_path: memory/embeddings/\n    reflections_path: memory/thoughts/\n`;
    const { cwd, ralph } = await finished(storage("memory/"));
    expect((await ralph("export", "cross-task")).status).toBe(0);
    expect(existsSync(join(cwd, "memory/index.json"))).toBe(true);
    expect(readdirSync(join(cwd, "memory/thoughts"))).toHaveLength(1);
    writeFileSync(join(cwd, "ralph.yml"), storage("../elsewhere/"));
    const { status, stderr } = await ralph("export", "cross-task");
    expect(status).not.toBe(0);
    expect(stderr).toContain("cross_task_learning.storage.memory_path is outside the project: ../elsewhere/");
    expect(existsSync(join(cwd, "../elsewhere"))).toBe(false);
  });
});
