import type { Action, Milestone } from "../../domain/tasks/action.js";
import type { Attempt, IterationResult } from "../../domain/tasks/attempt.js";
import type { CapacityChange } from "../../domain/tasks/capacity-change.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { TaskFilter } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask } from "../tasks/get-task.js";
import { publicAttempt, publicReflection, publicTask } from "../tasks/public-records.js";

export interface AttemptHistory extends Attempt {
  /** The plan as it was handed out. */
  plan_text?: string;
  /** Empty when only a summary is shown. */
  actions: Action[];
  /** For older attempts, unless the full history was requested. */
  actions_summary?: string;
  milestones: Milestone[];
  results: IterationResult[];
}

/** Everything about one task. */
export interface TaskHistory extends Task {
  attempts: AttemptHistory[];
  reflections: Reflection[];
  /** Changes of the reflection window. */
  memory_capacity_changes: CapacityChange[];
}

export interface HistoryOptions {
  /** All actions, even where a summary would be shown. */
  isFull?: boolean | undefined;
}

/** Newest first. */
export async function listTasks(
  { store }: EpisodicContext,
  filter: TaskFilter,
  limit?: number,
): Promise<Task[]> {
  return (await store.tasks.list(filter, limit)).map(publicTask);
}

export async function queryHistory(
  { store }: { store: Repositories },
  taskId: string,
  { isFull = false }: HistoryOptions = {},
): Promise<TaskHistory> {
  const task = await getTask(store, taskId);
  const attempts: AttemptHistory[] = [];
  for (const attempt of await store.attempts.list(task.number)) {
    const { plan_text, actions_summary } = attempt;
    attempts.push({
      ...publicAttempt(task, attempt),
      ...(plan_text && { plan_text }),
      ...(actions_summary && !isFull && { actions_summary }),
      actions: await shownActions(store, attempt, isFull),
      milestones: await store.actions.listMilestones(attempt.key),
      results: await store.iterationResults.list(attempt.key),
    });
  }
  return {
    ...publicTask(task),
    attempts,
    reflections: (await store.reflections.listLast(task.number)).map(publicReflection),
    memory_capacity_changes: await store.capacityChanges.list(task.number),
  };
}

async function shownActions(store: Repositories, attempt: StoredAttempt, isFull: boolean): Promise<Action[]> {
  if (attempt.actions_summary === undefined) return store.actions.list(attempt.key);
  return isFull ? (await import("./packed-actions.js")).listPackedActions(store, attempt) : [];
}
