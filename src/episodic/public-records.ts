import type { Attempt } from "../domain/attempt.js";
import type { Task } from "../domain/task.js";
import type { StoredAttempt } from "../store/repositories/attempts.js";
import type { StoredTask } from "../store/repositories/tasks.js";

/** A task as the outside knows it, without the store's own number. */
export function publicTask({ number: _number, ...task }: StoredTask): Task {
  return task;
}

export function publicAttempt({ key: _key, runner: _runner, ...attempt }: StoredAttempt): Attempt {
  return attempt;
}
