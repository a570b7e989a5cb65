import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { dayMs } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import { recordDigest } from "../../domain/record-digest.js";
import { isObject } from "../../domain/shape.js";
import type { TaskMemory, TaskVector } from "../../domain/tasks/task-memory.js";
import { makeFolder } from "../../files/make-folder.js";
import { refuseGit } from "../../files/path-inside.js";
import type { Memory } from "../../memory/memory.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import { type ExportSource, openExportSource } from "../export-source.js";
import { openTarget, writeWhole } from "../target-folder.js";
import { type CrossTaskOriginal, folders, indexFile, patchTask } from "./task-memory.js";

export interface CrossTaskExport {
  /** The index of all tasks. */
  indexFile: string;
  /** The folder with one file of reflections per task. */
  reflectionsFolder: string;
  /** The folder with one file per task that has a vector. */
  embeddingsFolder: string;
  /** The folder with one file per reflection of a task, by task id; if absent, these files are not written. */
  taskFolder?: ((taskId: string) => string) | undefined;
  /** Leaves out reflections outside the window of their task. */
  isWindowOnly?: boolean | undefined;
  /** Older tasks are left out unless they were imported from there; 0: no limit. */
  maxAgeDays: number;
  now: Date;
  /** Overwrites an earlier export. */
  force?: boolean | undefined;
  onProgress?: (done: number, total: number) => void;
}

const formatVersion = "1.0.0";

/** The files of a cross-task memory in one folder. */
export function crossTaskPaths(directory: string) {
  return {
    indexFile: join(directory, indexFile),
    reflectionsFolder: join(directory, folders.reflections),
    embeddingsFolder: join(directory, folders.embeddings),
  };
}

/** Writes what similar tasks can learn from finished ones, in the published cross-task learning format. */
export async function writeCrossTaskMemory(
  memory: Memory,
  options: CrossTaskExport,
): Promise<{ tasks: number }> {
  refuseGit(options.indexFile);
  if (!options.force && existsSync(options.indexFile)) {
    throw new RalphError("already-exists", `${dirname(options.indexFile)} already contains an export`, {
      hint: "choose another folder, or overwrite it with --force",
    });
  }
  const { now, onProgress } = options;
  const source = await openExportSource(memory, "cross-task", { now, ...(onProgress && { onProgress }) });
  return writeTasks(source, options);
}

export async function writeTasks(source: ExportSource, options: CrossTaskExport): Promise<{ tasks: number }> {
  const { indexFile: path, reflectionsFolder, taskFolder, now, isWindowOnly, onProgress } = options;
  const { memory } = source;
  const folder = dirname(path);
  makeFolder(folder);
  makeFolder(reflectionsFolder);
  const entries: unknown[] = [];
  const exported = await listExported(source, options);
  for (const [index, { id, row }] of exported.entries()) {
    const task = await memory.tasks.memory(id, { isWindowOnly });
    if (row === undefined) entries.push(writeNewTask(task, await memory.tasks.vector(id), options));
    else entries.push(...writeOriginal(folder, await patched(source, id, row, task)));
    if (taskFolder !== undefined)
      for (const [number, reflection] of task.reflections.entries())
        writeJson(join(taskFolder(id), `reflection-${String(number + 1).padStart(3, "0")}.json`), reflection);
    onProgress?.(index + 1, exported.length);
  }
  for (const { original, file } of source.heldBack("task"))
    if (file.endsWith(indexFile)) entries.push(...writeOriginal(folder, original as CrossTaskOriginal));
  const kept = source.rows.find(({ kind, file }) => kind === "kept" && file.endsWith(indexFile))?.original;
  const hasNew = exported.some(({ row }) => row === undefined);
  writeJson(path, { ...indexFields(kept, hasNew, now.toISOString()), tasks: entries });
  return { tasks: exported.length };
}

/** The fields of the index besides its tasks: unchanged, except for the time of the last addition. */
function indexFields(kept: unknown, hasNew: boolean, now: string): Record<string, unknown> {
  if (!isObject(kept)) return { version: formatVersion, updated: now };
  const name = ["last_updated", "updated"].find((each) => each in kept);
  return hasNew && name !== undefined ? { ...kept, [name]: now } : kept;
}

/** Imported tasks in the order of their index, with their originals, then the finished ones. */
async function listExported(
  source: ExportSource,
  { maxAgeDays, now }: CrossTaskExport,
): Promise<{ id: string; row: ForeignRow | undefined }[]> {
  const since = maxAgeDays === 0 ? "" : new Date(now.getTime() - maxAgeDays * dayMs).toISOString();
  const tasks = (await source.memory.tasks.list({ includesArchived: true })).toReversed();
  return tasks
    .flatMap(({ id, status, updated, archived }) => {
      const rows = source.originalsOf("task", id);
      const row = rows.find(({ file }) => file.endsWith(indexFile));
      const isFinished = (status === "completed" || status === "failed") && archived === undefined;
      // A task imported with another part of the layout is written there.
      const isExported = rows.length > 0 ? row !== undefined : isFinished && updated >= since;
      return isExported ? [{ id, row }] : [];
    })
    .sort((one, other) => placeOf(one.row) - placeOf(other.row));
}

function placeOf(row: ForeignRow | undefined): number {
  return row?.place ?? Number.MAX_SAFE_INTEGER;
}

/** The original of an imported task, with later changes applied. */
async function patched(
  { memory }: ExportSource,
  id: string,
  { original, digest }: ForeignRow,
  task: TaskMemory,
): Promise<CrossTaskOriginal> {
  const history = await memory.tasks.history(id, { isFull: true });
  const isUnchanged = digest === recordDigest("task", history);
  return isUnchanged ? (original as CrossTaskOriginal) : patchTask(original as CrossTaskOriginal, task);
}

/** Writes the files of an imported task, and returns its entries in the index. Paths must not lead out of the folder. */
function writeOriginal(folder: string, { entry, files }: CrossTaskOriginal): unknown[] {
  const target = openTarget(folder, { force: true });
  for (const [path, value] of Object.entries(files)) target.json(path, value);
  return entry === undefined ? [] : [entry];
}

/** Writes the files of a task, and returns its entry in the index. */
function writeNewTask(
  task: TaskMemory,
  vector: TaskVector | undefined,
  { indexFile: index, reflectionsFolder, embeddingsFolder }: CrossTaskExport,
): unknown {
  const { task_id, reflections } = task;
  writeJson(join(reflectionsFolder, `${task_id}.json`), { task_id, reflections });
  if (vector === undefined) return task;
  const path = join(embeddingsFolder, `${task_id}.json`);
  writeJson(path, { task_id, ...vector });
  // With slashes on every system.
  return { ...task, embedding_path: relative(dirname(index), path).replaceAll(sep, "/") };
}

function writeJson(path: string, value: unknown): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
}
