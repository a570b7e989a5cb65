import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dayMs } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { TaskMemory } from "../../domain/tasks/task-memory.js";
import { withFileErrors } from "../../files/file-problem.js";
import { makeFolder } from "../../files/make-folder.js";
import type { Memory } from "../../memory/memory.js";

export interface CrossTaskExport {
  /** The file with all tasks. */
  indexFile: string;
  /** The folder with one file of reflections per task. */
  reflectionsFolder: string;
  /** Older tasks are left out; 0: no limit. */
  maxAgeDays: number;
  now: Date;
  /** Overwrites an earlier export. */
  force?: boolean | undefined;
  onProgress?: (done: number, total: number) => void;
}

const formatVersion = "1.0.0";

/** Writes what similar tasks can learn from finished ones, in the published cross-task learning format. */
export async function writeCrossTaskMemory(
  memory: Memory,
  {
    indexFile,
    reflectionsFolder,
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
  const records: TaskMemory[] = [];
  for (const { id } of finished) {
    records.push(await memory.tasks.memory(id));
    onProgress(records.length, finished.length);
  }
  withFileErrors(dirname(indexFile), () => {
    makeFolder(dirname(indexFile));
    makeFolder(reflectionsFolder);
    for (const { task_id: id, reflections } of records) {
      writeJson(join(reflectionsFolder, `${id}.json`), { task_id: id, reflections });
    }
    writeJson(indexFile, { version: formatVersion, updated: now.toISOString(), tasks: records });
  });
  return { tasks: records.length };
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
