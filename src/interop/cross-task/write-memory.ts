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
}

/** Writes what similar tasks can learn from finished ones, in the published cross-task learning format. */
export async function writeCrossTaskMemory(
  memory: Memory,
  {
    indexFile,
    reflectionsFolder,
    embeddingsFolder,
    maxAgeDays,
    now,
    force = false,
    onProgress = () => undefined,
  }: CrossTaskExport,
): Promise<{ tasks: number }> {
  if (!force && existsSync(indexFile)) {
    throw new RalphError("already-exists", `${dirname(indexFile)} already contains an export`, {
      hint: "choose another folder, or overwrite it with --force",
    });
  }
  const since = maxAgeDays === 0 ? {} : { since: new Date(now.getTime() - maxAgeDays * dayMs).toISOString() };
  const finished = (await memory.tasks.list({ statuses: ["completed", "failed"], ...since })).toReversed();
  const records: ExportedTask[] = [];
  for (const { id } of finished) {
    records.push({ task: await memory.tasks.memory(id), vector: await memory.tasks.vector(id) });
    onProgress(records.length, finished.length);
  }
  const vectorFile = ({ task_id: id }: TaskMemory) => join(embeddingsFolder, `${id}.json`);
  withFileErrors(dirname(indexFile), () => {
    makeFolder(dirname(indexFile));
    makeFolder(reflectionsFolder);
    if (records.some(({ vector }) => vector !== undefined)) makeFolder(embeddingsFolder);
    for (const { task, vector } of records) {
      const { task_id: id, reflections } = task;
      writeJson(join(reflectionsFolder, `${id}.json`), { task_id: id, reflections });
      if (vector !== undefined) writeJson(vectorFile(task), { task_id: id, ...vector });
    }
    const tasks = records.map(({ task, vector }) =>
      vector === undefined
        ? task
        : { ...task, embedding_path: relativePath(dirname(indexFile), vectorFile(task)) },
    );
    writeJson(indexFile, { version: formatVersion, updated: now.toISOString(), tasks });
  });
  return { tasks: records.length };
}

/** With slashes on every system. */
function relativePath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
