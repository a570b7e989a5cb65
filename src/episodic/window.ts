import type { Reflection } from "../domain/reflection.js";
import type { StoredTask } from "../store/repositories/tasks.js";
import type { Repositories } from "../store/store.js";

/** How many of a task's last reflections an attempt starts with, unless told otherwise. */
export const defaultWindow = 3;

export async function reflectionsInWindow(
  repositories: Repositories,
  task: StoredTask,
  size: number,
): Promise<Reflection[]> {
  return size <= 0 ? [] : repositories.reflections.listLast(task.number, size);
}
