import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TaskStatus, taskStatuses } from "../../domain/tasks/task.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import type { Memory } from "../../memory/memory.js";
import { unique } from "../../text/unique.js";
import { type ExportSource, openExportSource, renderBack } from "../export-source.js";
import { SkippedParts } from "../fields.js";
import { type FileMap, readFileMap, sourceOfMap, writeFileMap } from "../file-map.js";
import type { Layout, ReadOptions } from "../layout.js";
import { openSource } from "../source-folder.js";
import { openTarget, type TargetFolder } from "../target-folder.js";
import { skipOthers } from "./read-attempt.js";
import { readTask, taskNames } from "./read-task.js";
import { renderTask, tasksFolder } from "./task-files.js";

/** The published tree of tasks. */
export const episodicLayout: Layout = {
  name: "episodic",
  find: ({ root }) => {
    const path = join(root, ".aiwg", "ralph");
    return existsSync(join(path, tasksFolder)) ? [path] : [];
  },
  read,
  write: async (source, target) => ({ task: (await writeTree(source, target)).tasks }),
};

function* read(path: string, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  const source = openSource(path);
  const skipped = new SkippedParts();
  const names = taskNames(source);
  skipOthers(source, tasksFolder, names, skipped);
  for (const name of names) {
    const folder = `${tasksFolder}/${name}`;
    const record = readTask(source, name, skipped);
    yield {
      file: folder,
      records: [{ kind: "task", id: name, record, original: readFileMap(source, folder, onSkipped) }],
    };
  }
  skipped.list().forEach(onSkipped);
}

export interface ReadTreeOptions {
  /** Called with a line for each kind of part that is left out. */
  onSkipped?(part: string): void;
}

/** All tasks of a tree. The summaries and indexes beside them are derived, so they are not read. */
export function readEpisodicTree(
  directory: string,
  { onSkipped = () => undefined }: ReadTreeOptions = {},
): TaskHistory[] {
  const source = openSource(directory);
  const skipped = new SkippedParts();
  const names = taskNames(source);
  skipOthers(source, tasksFolder, names, skipped);
  const histories = names.map((name) => readTask(source, name, skipped));
  skipped.list().forEach(onSkipped);
  return histories;
}

export interface WriteTreeOptions {
  /** Overwrites an earlier export. */
  force?: boolean | undefined;
  onProgress?: (done: number, total: number) => void;
}

/** Writes all tasks as a tree of files and returns their number. */
export async function writeEpisodicTree(
  memory: Memory,
  directory: string,
  { force = false, onProgress = () => undefined }: WriteTreeOptions = {},
): Promise<{ tasks: number }> {
  const source = await openExportSource(memory, "episodic", { now: new Date(), onProgress });
  return writeTree(source, openTarget(directory, { force }));
}

async function writeTree(source: ExportSource, target: TargetFolder): Promise<{ tasks: number }> {
  const { memory, onProgress } = source;
  target.claim(tasksFolder);
  const tasks = (await memory.tasks.list({ includesArchived: true })).toReversed();
  const embeddings = "index/embeddings";
  target.folder(tasksFolder);
  target.folder(embeddings);
  const own = new Set(tasks.map(({ id }) => id));
  const nameOf = (id: string) => {
    const foreign = source.foreignId(id, "task");
    return foreign === id || own.has(foreign) ? id : foreign;
  };
  const indexed: IndexedTask[] = [];
  for (const [index, { id }] of tasks.entries()) {
    const history = await memory.tasks.history(id, { isFull: true });
    const vector = await memory.tasks.vector(id);
    const name = nameOf(id);
    writeFileMap(target, `${tasksFolder}/${name}`, filesOf(source, history, nameOf));
    if (vector !== undefined) target.json(`${embeddings}/${name}.json`, { task_id: name, ...vector });
    indexed.push({ id: name, status: history.status, agents: agentsOf(history) });
    onProgress(index + 1, tasks.length);
  }
  for (const { foreignId, original } of source.heldBack("task"))
    writeFileMap(target, `${tasksFolder}/${foreignId}`, original as FileMap);
  writeIndexes(target, indexed);
  return { tasks: tasks.length };
}

/** The files of a task: the imported ones with later changes applied, or new ones. */
function filesOf(source: ExportSource, history: TaskHistory, nameOf: (id: string) => string): FileMap {
  const row = source.originalOf("task", history.id);
  const name = nameOf(history.id);
  return renderBack(row, history, {
    read: (original) =>
      readTask(sourceOfMap(original as FileMap, `${tasksFolder}/${name}`), name, new SkippedParts()),
    render: (task) => renderTask(named(task, name, nameOf)),
  }) as FileMap;
}

function named(task: TaskHistory, name: string, nameOf: (id: string) => string): TaskHistory {
  return {
    ...task,
    id: name,
    related_tasks: task.related_tasks.map(nameOf),
    attempts: task.attempts.map((attempt) => ({ ...attempt, task_id: name })),
    reflections: task.reflections.map((reflection) => ({ ...reflection, task_id: name })),
  };
}

interface IndexedTask {
  id: string;
  status: TaskStatus;
  agents: readonly string[];
}

/** The agent assigned to the task, and those that worked on it. */
function agentsOf({ agent, attempts }: TaskHistory): string[] {
  return unique([agent, ...attempts.map(({ execution }) => execution.agent)].flatMap((name) => name ?? []));
}

function writeIndexes(target: TargetFolder, tasks: readonly IndexedTask[]): void {
  const idsBy = (keys: readonly string[], has: (task: IndexedTask, key: string) => boolean) =>
    Object.fromEntries(keys.map((key) => [key, tasks.filter((task) => has(task, key)).map(({ id }) => id)]));
  const agents = unique(tasks.flatMap((task) => task.agents)).sort();
  target.json(
    "index/by-status.json",
    idsBy(taskStatuses, ({ status }, key) => status === key),
  );
  target.json(
    "index/by-agent.json",
    idsBy(agents, (task, key) => task.agents.includes(key)),
  );
}
