import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { dayMs } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { TaskMemory, TaskVector } from "../../domain/tasks/task-memory.js";
import { withFileErrors } from "../../files/file-problem.js";
import { makeFolder } from "../../files/make-folder.js";
import type { Memory } from "../../memory/memory.js";

export interface CrossTaskExport {
  /** The file with all tasks. */
  indexFile: string;
  /** The folder with one file of reflections per task. */
  reflectionsFolder: string;
  /** The folder with one file per task that has a vector. */
  embeddingsFolder: string;
  /** The folder with one file per reflection of a task, by the task's id; if absent, these files are not written. */
  taskFolder?: ((taskId: string) => string) | undefined;
  /** Leaves out reflections outside the window of their task. */
  isWindowOnly?: boolean | undefined;
  /** Older tasks are left out; 0: no limit. */
  maxAgeDays: number;
  now: Date;
  /** Overwrites an earlier export. */
  force?: boolean | undefined;
  onProgress?: (done: number, total: number) => void;
}

const formatVersion = "1.0.0";

interface ExportedTask {
  task: TaskMemory;
  vector: TaskVector | undefined;
  taskFolder: string | undefined;
}

/** Writes what similar tasks can learn from finished ones, in the published cross-task learning format. */
export async function writeCrossTaskMemory(
  memory: Memory,
  options: CrossTaskExport,
): Promise<{ tasks: number }> {
  const { indexFile, reflectionsFolder, embeddingsFolder, now } = options;
  if (!options.force && existsSync(indexFile)) {
    throw new RalphError("already-exists", `${dirname(indexFile)} already contains an export`, {
      hint: "choose another folder, or overwrite it with --force",
    });
  }
  const exported = await readTasks(memory, options);
  withFileErrors(dirname(indexFile), () => {
    makeFolder(dirname(indexFile));
    makeFolder(reflectionsFolder);
    for (const each of exported) writeTask(each, options);
    const tasks = exported.map(({ task, vector }) =>
      vector === undefined
        ? task
        : { ...task, embedding_path: relativePath(dirname(indexFile), vectorFile(embeddingsFolder, task)) },
    );
    writeJson(indexFile, { version: formatVersion, updated: now.toISOString(), tasks });
  });
  return { tasks: exported.length };
}

async function readTasks(
  memory: Memory,
  { maxAgeDays, now, isWindowOnly, taskFolder, onProgress }: CrossTaskExport,
): Promise<ExportedTask[]> {
  const since = maxAgeDays === 0 ? {} : { since: new Date(now.getTime() - maxAgeDays * dayMs).toISOString() };
  const finished = (await memory.tasks.list({ statuses: ["completed", "failed"], ...since })).toReversed();
  const exported: ExportedTask[] = [];
  for (const { id } of finished) {
    exported.push({
      task: await memory.tasks.memory(id, { isWindowOnly }),
      vector: await memory.tasks.vector(id),
      taskFolder: taskFolder?.(id),
    });
    onProgress?.(exported.length, finished.length);
  }
  return exported;
}

function writeTask(
  { task, vector, taskFolder }: ExportedTask,
  { reflectionsFolder, embeddingsFolder }: CrossTaskExport,
): void {
  const { task_id: id, reflections } = task;
  writeJson(join(reflectionsFolder, `${id}.json`), { task_id: id, reflections });
  if (vector !== undefined) {
    makeFolder(embeddingsFolder);
    writeJson(vectorFile(embeddingsFolder, task), { task_id: id, ...vector });
  }
  if (taskFolder === undefined || reflections.length === 0) return;
  makeFolder(taskFolder);
  for (const [index, reflection] of reflections.entries())
    writeJson(join(taskFolder, `reflection-${String(index + 1).padStart(3, "0")}.json`), reflection);
}

function vectorFile(folder: string, { task_id: id }: TaskMemory): string {
  return join(folder, `${id}.json`);
}

/** With slashes on every system. */
function relativePath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
