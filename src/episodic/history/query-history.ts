import type { Action, Milestone } from "../../domain/tasks/action.js";
import type { Attempt, CapacityChange, IterationResult } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { numberOfTaskId, type Task } from "../../domain/tasks/task.js";
import type { TaskFilter } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask } from "../tasks/get-task.js";
import { publicAttempt, publicReflection, publicTask } from "../tasks/public-records.js";
import { type AttemptWork, readTaskWork } from "../tasks/task-work.js";

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
  offset?: number,
): Promise<Task[]> {
  return (await store.tasks.list(filter, limit, offset)).map(publicTask);
}

export async function queryHistory(
  { store }: { store: Repositories },
  taskId: string,
  { isFull = false }: HistoryOptions = {},
): Promise<TaskHistory> {
  const number = numberOfTaskId(taskId) ?? 0;
  const [task, { attempts, reflections }, milestones, changes] = await Promise.all([
    getTask(store, taskId),
    readTaskWork(store, number),
    store.actions.listMilestonesForTask(number),
    store.capacityChanges.list(number),
  ]);
  const toHistory = async (work: AttemptWork): Promise<AttemptHistory> => {
    const { actions: _actions, results, ...attempt } = work;
    const { plan_text, actions_summary } = attempt;
    return {
      ...publicAttempt(task, attempt),
      ...(plan_text && { plan_text }),
      ...(actions_summary && !isFull && { actions_summary }),
      actions: await shownActions(store, work, isFull),
      milestones: milestones.get(attempt.key) ?? [],
      results,
    };
  };
  return {
    ...publicTask(task),
    attempts: await Promise.all(attempts.map(toHistory)),
    reflections: reflections.map(publicReflection),
    memory_capacity_changes: changes,
  };
}

async function shownActions(store: Repositories, attempt: AttemptWork, isFull: boolean): Promise<Action[]> {
  if (attempt.actions_summary === undefined) return attempt.actions;
  return isFull ? (await import("./packed-actions.js")).listPackedActions(store, attempt) : [];
}
