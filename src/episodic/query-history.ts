import type { Action, Milestone } from "../domain/action.js";
import type { Attempt } from "../domain/attempt.js";
import type { Reflection } from "../domain/reflection.js";
import type { Task } from "../domain/task.js";
import type { TaskFilter } from "../store/repositories/tasks.js";
import type { EpisodicContext } from "./episodic-context.js";
import { getTask } from "./get-task.js";
import { publicAttempt, publicTask } from "./public-records.js";

export interface AttemptHistory extends Attempt {
  actions: Action[];
  milestones: Milestone[];
}

/** Everything about one task. */
export interface TaskHistory extends Task {
  attempts: AttemptHistory[];
  reflections: Reflection[];
}

/** Newest first. */
export async function listTasks(
  { store }: EpisodicContext,
  filter: TaskFilter,
  limit?: number,
): Promise<Task[]> {
  return (await store.tasks.list(filter, limit)).map(publicTask);
}

export async function queryHistory({ store }: EpisodicContext, taskId: string): Promise<TaskHistory> {
  const task = await getTask(store, taskId);
  const attempts: AttemptHistory[] = [];
  for (const attempt of await store.attempts.list(task.number)) {
    attempts.push({
      ...publicAttempt(attempt),
      actions: await store.actions.list(attempt.key),
      milestones: await store.actions.listMilestones(attempt.key),
    });
  }
  return {
    ...publicTask(task),
    attempts,
    reflections: await store.reflections.listLast(task.number),
  };
}
