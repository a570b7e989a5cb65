import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { dayMs } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import { recordDigest } from "../../domain/record-digest.js";
import type { TaskMemory, TaskVector } from "../../domain/tasks/task-memory.js";
import { makeFolder } from "../../files/make-folder.js";
import { refuseGit } from "../../files/path-inside.js";
import type { Memory } from "../../memory/memory.js";
import { type ExportSource, openExportSource } from "../export-source.js";
import { openTarget, writeWhole } from "../target-folder.js";
import { type CrossTaskOriginal, folders, indexFile, patchTask } from "./task-memory.js";

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
  /** Older tasks are left out, unless they were imported from there; 0: no limit. */
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
  /** How it was written where it was imported from, with what has changed since. */
  original: CrossTaskOriginal | undefined;
}

/** The files of such a memory in one folder. */
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
  const { indexFile: path, reflectionsFolder, embeddingsFolder, now } = options;
  const exported = await readTasks(source, options);
  makeFolder(dirname(path));
  makeFolder(reflectionsFolder);
  for (const each of exported) writeTask(each, options);
  const waiting = source
    .heldBack("task")
    .flatMap(({ original, file }) => (file.endsWith(indexFile) ? [original as CrossTaskOriginal] : []));
  for (const { files } of waiting) writeFiles(dirname(path), files);
  const tasks: unknown[] = exported.flatMap(({ task, vector, original }) => {
    if (original !== undefined) return original.entry ?? [];
    if (vector === undefined) return task;
    const embedding = relativePath(dirname(path), vectorFile(embeddingsFolder, task));
    return { ...task, embedding_path: embedding };
  });
  const index = source.rows.find(({ kind, file }) => kind === "kept" && file.endsWith(indexFile));
  const isChanged = exported.some(({ original }) => original === undefined);
  writeJson(path, {
    ...(index === undefined
      ? { version: formatVersion, updated: now.toISOString() }
      : withTime(index.original, isChanged ? now : undefined)),
    tasks: [...tasks, ...waiting.flatMap(({ entry }) => entry ?? [])],
  });
  return { tasks: exported.length };
}

/** The index as it was, with the time at which something was added to it. */
function withTime(index: unknown, now: Date | undefined): Record<string, unknown> {
  const fields = index as Record<string, unknown>;
  const name = ["last_updated", "updated"].find((each) => each in fields);
  return now === undefined || name === undefined ? fields : { ...fields, [name]: now.toISOString() };
}

async function readTasks(
  source: ExportSource,
  { maxAgeDays, now, isWindowOnly, taskFolder, onProgress }: CrossTaskExport,
): Promise<ExportedTask[]> {
  const { memory } = source;
  const since = maxAgeDays === 0 ? "" : new Date(now.getTime() - maxAgeDays * dayMs).toISOString();
  const tasks = (await memory.tasks.list({ includesArchived: true })).toReversed();
  const finished = tasks.filter(({ id, status, updated, archived }) => {
    // One that came with the same layout is written where it came from.
    if (source.originalOf("task", id) !== undefined) return originalOf(source, id) !== undefined;
    return (status === "completed" || status === "failed") && updated >= since && archived === undefined;
  });
  const placeOf = (id: string) => originalOf(source, id)?.place ?? Number.MAX_SAFE_INTEGER;
  finished.sort((one, other) => placeOf(one.id) - placeOf(other.id));
  const exported: ExportedTask[] = [];
  for (const { id } of finished) {
    const task = await memory.tasks.memory(id, { isWindowOnly });
    exported.push({
      task,
      vector: await memory.tasks.vector(id),
      taskFolder: taskFolder?.(id),
      original: await patched(source, id, task),
    });
    onProgress?.(exported.length, finished.length);
  }
  return exported;
}

function originalOf(source: ExportSource, id: string) {
  return source.originalsOf("task", id).find(({ file }) => file.endsWith(indexFile));
}

async function patched(
  source: ExportSource,
  id: string,
  task: TaskMemory,
): Promise<CrossTaskOriginal | undefined> {
  const row = originalOf(source, id);
  if (row === undefined) return undefined;
  const original = row.original as CrossTaskOriginal;
  const history = await source.memory.tasks.history(id, { isFull: true });
  return row.digest === recordDigest("task", history) ? original : patchTask(original, task);
}

function writeTask(
  { task, vector, taskFolder, original }: ExportedTask,
  { indexFile: index, reflectionsFolder, embeddingsFolder }: CrossTaskExport,
): void {
  const { task_id: id, reflections } = task;
  if (original !== undefined) writeFiles(dirname(index), original.files);
  else writeJson(join(reflectionsFolder, `${id}.json`), { task_id: id, reflections });
  if (vector !== undefined && original === undefined)
    writeJson(vectorFile(embeddingsFolder, task), { task_id: id, ...vector });
  if (taskFolder === undefined || reflections.length === 0) return;
  for (const [number, reflection] of reflections.entries())
    writeJson(join(taskFolder, `reflection-${String(number + 1).padStart(3, "0")}.json`), reflection);
}

/** Their paths come from elsewhere, and may not lead out of the folder. */
function writeFiles(folder: string, files: CrossTaskOriginal["files"]): void {
  const target = openTarget(folder, { force: true });
  for (const [path, value] of Object.entries(files)) target.json(path, value);
}

function vectorFile(folder: string, { task_id: id }: TaskMemory): string {
  return join(folder, `${id}.json`);
}

/** With slashes on every system. */
function relativePath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}

function writeJson(path: string, value: unknown): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
}
