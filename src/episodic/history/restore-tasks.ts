import type { Reflection } from "../../domain/tasks/reflection.js";
import { numberOfTaskId, taskIdOf } from "../../domain/tasks/task.js";
import type { Repositories } from "../../store/store.js";
import type { EpisodicContext } from "../episodic-context.js";
import { indexTask } from "../tasks/index-task.js";
import type { AttemptHistory, TaskHistory } from "./query-history.js";

export interface RestoredTasks {
  /** The original id of each task, and its new one. */
  restored: { from: string; task_id: string }[];
  /** Tasks that existed already. */
  known: string[];
}

/** New numbers follow the highest one: a single huge number must not exhaust them. */
const maxGap = 1_000_000;

/** Imports tasks with all their records unchanged; if one cannot be stored, imports none. */
export async function restoreTasks(
  { store }: EpisodicContext,
  histories: readonly TaskHistory[],
): Promise<RestoredTasks> {
  return store.transaction(async (tx) => {
    const known: string[] = [];
    const numbers = new Map<string, number>();
    const taken = new Set<number>();
    const isTaken = async (number: number) =>
      taken.has(number) || (await tx.tasks.find(number)) !== undefined;
    let highest = await tx.tasks.highestNumber();
    const fresh: TaskHistory[] = [];
    const uuids = new Set<string>();
    for (const history of histories) {
      if (uuids.has(history.uuid) || (await tx.tasks.findByUuid(history.uuid)) !== undefined) {
        known.push(history.id);
        continue;
      }
      const own = numberOfTaskId(history.id);
      const isUsable = own !== undefined && own <= highest + maxGap && !(await isTaken(own));
      const number = isUsable ? own : highest + 1;
      highest = Math.max(highest, number);
      taken.add(number);
      uuids.add(history.uuid);
      numbers.set(history.id, number);
      fresh.push(history);
    }
    for (const history of fresh) await restore(tx, history, numbers);
    const restored = fresh.map(({ id }) => ({ from: id, task_id: taskIdOf(numbers.get(id) ?? 0) }));
    return { restored, known };
  });
}

/** Imports one task, under its own number if that is free; returns its id. */
export async function restoreTask(tx: Repositories, history: TaskHistory): Promise<string> {
  const highest = await tx.tasks.highestNumber();
  const own = numberOfTaskId(history.id);
  const isUsable =
    own !== undefined && own > 0 && own <= highest + maxGap && (await tx.tasks.find(own)) === undefined;
  const number = isUsable ? own : highest + 1;
  await restore(tx, history, new Map([[history.id, number]]));
  return taskIdOf(number);
}

/** Updates a task from a later version: its fields, and attempts and reflections that it lacks. */
export async function updateTask(tx: Repositories, number: number, history: TaskHistory): Promise<void> {
  const { attempts, reflections, memory_capacity_changes: _changes, ...task } = history;
  const known = await tx.attempts.list(number);
  for (const attempt of attempts) {
    const here = known.find(({ id }) => id === attempt.id);
    if (here === undefined) await restoreAttempt(tx, number, attempt);
    else if (here.outcome === undefined && attempt.outcome !== undefined)
      await continueAttempt(tx, here.key, attempt);
  }
  const recorded = new Set((await tx.reflections.listLast(number)).map(nameOf));
  for (const reflection of reflections)
    if (!recorded.has(nameOf(reflection))) await tx.reflections.record(number, reflection);
  const total = Math.max(task.total_attempts, ...known.map(({ id }) => id), 0);
  await tx.tasks.rewrite({ ...task, number, total_attempts: total });
  const stored = await tx.tasks.find(number);
  if (stored !== undefined) await indexTask(tx, stored);
}

function nameOf({ timestamp, attempt_id, observation }: Reflection): string {
  return JSON.stringify([timestamp, attempt_id, observation]);
}

async function continueAttempt(tx: Repositories, key: number, attempt: AttemptHistory): Promise<void> {
  const recorded = (await tx.actions.list(key)).length;
  const fresh = attempt.actions.slice(recorded);
  await tx.actions.recordAll(
    key,
    fresh.map((action) => ({ action, key: undefined })),
  );
  for (const result of attempt.results) await tx.iterationResults.record(key, result);
  await endAttempt(tx, key, attempt);
}

async function restore(
  tx: Repositories,
  history: TaskHistory,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const { attempts, reflections, memory_capacity_changes: changes, ...task } = history;
  const number = numbers.get(history.id) ?? 0;
  const renamed = (id: string) => (numbers.has(id) ? taskIdOf(numbers.get(id) ?? 0) : id);
  const scaled = changes.at(-1)?.to;
  await tx.tasks.restore({
    ...task,
    number,
    related_tasks: task.related_tasks.map(renamed),
    ...(scaled !== undefined && { memory_capacity: scaled }),
  });
  for (const attempt of attempts) await restoreAttempt(tx, number, attempt);
  for (const reflection of reflections) await tx.reflections.record(number, reflection);
  for (const change of changes) await tx.capacityChanges.record(number, change);
  const stored = await tx.tasks.find(number);
  if (stored !== undefined) await indexTask(tx, stored);
}

async function restoreAttempt(tx: Repositories, taskNumber: number, attempt: AttemptHistory): Promise<void> {
  const { execution } = attempt;
  const key = await tx.attempts.add({
    taskNumber,
    id: attempt.id,
    started: attempt.started,
    plan: attempt.plan,
    planText: attempt.plan_text,
    agent: execution.agent,
    memoryCapacity: execution.memory_capacity,
    madeBy: attempt.made_by,
  });
  await tx.actions.recordAll(
    key,
    attempt.actions.map((action) => ({ action, key: undefined })),
  );
  for (const milestone of attempt.milestones) await tx.actions.recordMilestone(key, milestone);
  for (const result of attempt.results) await tx.iterationResults.record(key, result);
  await endAttempt(tx, key, attempt);
}

async function endAttempt(tx: Repositories, key: number, attempt: AttemptHistory): Promise<void> {
  const { execution, ended, outcome } = attempt;
  await tx.attempts.countActions(key, execution.actions_performed, execution.iterations);
  if (ended === undefined || outcome === undefined) return;
  await tx.attempts.end(key, {
    ended,
    outcome,
    errors: attempt.errors_encountered,
    artifacts: attempt.artifacts_produced,
    files: attempt.context.files_involved,
    gitCommit: attempt.git_commit,
  });
}
