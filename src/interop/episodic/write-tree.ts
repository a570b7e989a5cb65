import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { type TaskStatus, taskStatuses } from "../../domain/tasks/task.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { summariseTask } from "../../episodic/tasks/summarise-task.js";
import { withFileErrors } from "../../files/file-problem.js";
import { makeFolder } from "../../files/make-folder.js";
import type { Memory } from "../../memory/memory.js";
import { unique } from "../../text/unique.js";
import {
  attemptFiles,
  attemptFolder,
  embeddingsFolder,
  indexFolder,
  iterationFolder,
  resultFiles,
  taskFiles,
  tasksFolder,
} from "./task-tree.js";

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
  if (!force && existsSync(join(directory, tasksFolder))) {
    throw new RalphError("already-exists", `${directory} already contains tasks`, {
      hint: "choose another folder, or overwrite them with --force",
    });
  }
  const tasks = (await memory.tasks.list({ includesArchived: true })).toReversed();
  const write = (work: () => void) => withFileErrors(directory, work);
  makeFolder(join(directory, tasksFolder));
  const embeddings = join(directory, indexFolder, embeddingsFolder);
  makeFolder(embeddings);
  const indexed: IndexedTask[] = [];
  for (const [index, { id }] of tasks.entries()) {
    const history = await memory.tasks.history(id, { isFull: true });
    const vector = await memory.tasks.vector(id);
    write(() => {
      writeTask(join(directory, tasksFolder, id), history);
      if (vector !== undefined) writeJson(join(embeddings, `${id}.json`), { task_id: id, ...vector });
    });
    indexed.push({ id, status: history.status, agents: agentsOf(history) });
    onProgress(index + 1, tasks.length);
  }
  write(() => writeIndexes(join(directory, indexFolder), indexed));
  return { tasks: tasks.length };
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

function writeIndexes(folder: string, tasks: readonly IndexedTask[]): void {
  const idsBy = (keys: readonly string[], has: (task: IndexedTask, key: string) => boolean) =>
    Object.fromEntries(keys.map((key) => [key, tasks.filter((task) => has(task, key)).map(({ id }) => id)]));
  const agents = unique(tasks.flatMap((task) => task.agents)).sort();
  writeJson(
    join(folder, "by-status.json"),
    idsBy(taskStatuses, ({ status }, key) => status === key),
  );
  writeJson(
    join(folder, "by-agent.json"),
    idsBy(agents, (task, key) => task.agents.includes(key)),
  );
}

function writeTask(folder: string, history: TaskHistory): void {
  const { attempts, reflections, ...metadata } = history;
  mkdirSync(join(folder, taskFiles.attempts), { recursive: true });
  writeJson(join(folder, taskFiles.metadata), metadata);
  writeJson(join(folder, taskFiles.trajectory), trajectoryOf(history));
  writeJson(join(folder, taskFiles.summary), summariseTask(history));
  writeLines(join(folder, taskFiles.reflections), reflections);
  for (const attempt of attempts)
    writeAttempt(join(folder, taskFiles.attempts, attemptFolder(attempt.id)), attempt);
}

function trajectoryOf({ id, attempts }: TaskHistory): object {
  const last = attempts.findLast(({ outcome }) => outcome !== undefined)?.outcome;
  return {
    task_id: id,
    attempts: attempts.map(({ id: attemptId, started, ended, outcome, plan, execution }) => ({
      attempt_id: attemptId,
      started,
      ...(ended && { ended }),
      ...(outcome && { outcome: outcome.status }),
      plan: plan.approach,
      actions: execution.actions_performed,
      iterations: execution.iterations,
    })),
    milestones: attempts.flatMap(({ id: attemptId, milestones }) =>
      milestones.map((milestone) => ({ ...milestone, attempt_id: attemptId })),
    ),
    ...(last?.final_quality !== undefined && { final_quality: last.final_quality }),
    ...(last?.completion_percent !== undefined && { completion_percent: last.completion_percent }),
  };
}

function writeAttempt(folder: string, history: AttemptHistory): void {
  const { plan_text: planText, actions, milestones: _milestones, results, ...attempt } = history;
  mkdirSync(join(folder, attemptFiles.results), { recursive: true });
  writeJson(join(folder, attemptFiles.attempt), attempt);
  if (planText !== undefined) writeFileSync(join(folder, attemptFiles.plan), planText);
  writeLines(join(folder, attemptFiles.actions), actions);
  if (attempt.outcome !== undefined) writeJson(join(folder, attemptFiles.outcome), attempt.outcome);
  for (const { output, ...result } of results) {
    const iteration = join(folder, attemptFiles.results, iterationFolder(result.iteration));
    mkdirSync(iteration, { recursive: true });
    writeJson(join(iteration, resultFiles.result), result);
    if (output !== undefined) writeFileSync(join(iteration, resultFiles.output), output);
  }
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function writeLines(path: string, values: readonly object[]): void {
  writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}
