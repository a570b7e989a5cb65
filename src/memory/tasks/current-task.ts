import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";

export interface CurrentWork {
  task: StoredTask;
  /** The attempt in progress. */
  attempt: StoredAttempt | undefined;
}

/** The current work, of one agent if given: the attempt that started last, else the newest running task. */
export async function findCurrentWork(
  repositories: Repositories,
  agent?: string,
): Promise<CurrentWork | undefined> {
  const running = (await repositories.attempts.listRunning()).filter(
    ({ execution }) => agent === undefined || execution.agent === agent,
  );
  const attempt = running.toSorted((one, other) => (one.started < other.started ? 1 : -1))[0];
  if (attempt !== undefined) {
    const task = await repositories.tasks.find(numberOfTaskId(attempt.task_id) ?? 0);
    return task && { task, attempt };
  }
  const filter = { statuses: ["running"] as const, ...(agent !== undefined && { agent }) };
  const [task] = await repositories.tasks.list(filter, 1);
  return task && { task, attempt: undefined };
}

/** A task with its attempt in progress, if any. */
export async function workOn(repositories: Repositories, task: StoredTask): Promise<CurrentWork> {
  const last = await repositories.attempts.find(task.number, task.current_attempt);
  return { task, attempt: last?.ended === undefined ? last : undefined };
}
