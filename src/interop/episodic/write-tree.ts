import { type TaskStatus, taskStatuses } from "../../domain/tasks/task.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import type { Memory } from "../../memory/memory.js";
import { unique } from "../../text/unique.js";
import { type ExportSource, openExportSource, renderBack } from "../export-source.js";
import { type FileMap, sourceOfMap, writeFileMap } from "../file-map.js";
import { SkippedParts } from "../skipped-parts.js";
import { openTarget, type TargetFolder } from "../target-folder.js";
import { readTask } from "./read-tree.js";
import { renderTask } from "./render-task.js";
import { embeddingsFolder, indexFolder, tasksFolder } from "./task-tree.js";

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

export async function writeTree(source: ExportSource, target: TargetFolder): Promise<{ tasks: number }> {
  const { memory, onProgress } = source;
  target.claim(tasksFolder);
  const tasks = (await memory.tasks.list({ includesArchived: true })).toReversed();
  const embeddings = `${indexFolder}/${embeddingsFolder}`;
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

/** The files of a task: as they were imported, with what has changed since, or new ones. */
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

/** The agent that the task is for, and those that worked on it. */
function agentsOf({ agent, attempts }: TaskHistory): string[] {
  return unique([agent, ...attempts.map(({ execution }) => execution.agent)].flatMap((name) => name ?? []));
}

function writeIndexes(target: TargetFolder, tasks: readonly IndexedTask[]): void {
  const idsBy = (keys: readonly string[], has: (task: IndexedTask, key: string) => boolean) =>
    Object.fromEntries(keys.map((key) => [key, tasks.filter((task) => has(task, key)).map(({ id }) => id)]));
  const agents = unique(tasks.flatMap((task) => task.agents)).sort();
  target.json(
    `${indexFolder}/by-status.json`,
    idsBy(taskStatuses, ({ status }, key) => status === key),
  );
  target.json(
    `${indexFolder}/by-agent.json`,
    idsBy(agents, (task, key) => task.agents.includes(key)),
  );
}
