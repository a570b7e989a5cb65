import type { Action } from "../../domain/tasks/action.js";
import type { IterationResult } from "../../domain/tasks/attempt.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { Repositories } from "../../store/store.js";

/** An attempt with what was done in it. */
export interface AttemptWork extends StoredAttempt {
  /** None, if they are archived. */
  actions: Action[];
  results: IterationResult[];
}

/** What was done for a task so far, oldest first. */
export interface TaskWork {
  attempts: AttemptWork[];
  reflections: StoredReflection[];
}

/** Reads all of it at once. */
export async function readTaskWork(repositories: Repositories, taskNumber: number): Promise<TaskWork> {
  const [attempts, actions, results, reflections] = await Promise.all([
    repositories.attempts.list(taskNumber),
    repositories.actions.listForTask(taskNumber),
    repositories.iterationResults.listForTask(taskNumber),
    repositories.reflections.listLast(taskNumber),
  ]);
  return {
    attempts: attempts.map((attempt) => ({
      ...attempt,
      actions: actions.get(attempt.key) ?? [],
      results: results.get(attempt.key) ?? [],
    })),
    reflections,
  };
}
