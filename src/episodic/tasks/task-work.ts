import { type Action, isEdit, pathOf } from "../../domain/tasks/action.js";
import type { IterationResult } from "../../domain/tasks/attempt.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { Repositories } from "../../store/store.js";
import { unique } from "../../text/unique.js";

/** An attempt with the work done in it. */
export interface AttemptWork extends StoredAttempt {
  /** Empty if they are archived. */
  actions: Action[];
  results: IterationResult[];
}

/** The work on a task so far, oldest first. */
interface TaskWork {
  attempts: AttemptWork[];
  reflections: StoredReflection[];
}

/** Reads all of the task's work at once. */
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

const maxFiles = 5;

export function editedFiles(actions: readonly Action[]): string[] {
  return unique(actions.filter(isEdit).flatMap((action) => pathOf(action) ?? []));
}

/** Files that were read or written. */
export function touchedFiles(actions: readonly Action[]): string[] {
  return unique(actions.flatMap((action) => pathOf(action) ?? []));
}

/** The first files, and how many more there are. */
export function listFiles(files: readonly string[]): string {
  const shown = files.slice(0, maxFiles).join(", ");
  return files.length > maxFiles ? `${shown} and ${files.length - maxFiles} more` : shown;
}

export function fileName(path: string): string {
  return path.replace(/^.*[\\/]/s, "");
}

export function sameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}
