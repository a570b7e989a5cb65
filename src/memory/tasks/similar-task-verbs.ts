import type { Settings } from "../../config/default-settings.js";
import type { Clock } from "../../domain/clock.js";
import type { TaskMemory } from "../../domain/tasks/task-memory.js";
import type { SimilarTask } from "../../recall/similar/similar-task.js";
import type { Store } from "../../store/store.js";
import type { SimilarTaskSearch } from "./find-similar-tasks.js";
import { taskNotFound } from "./task-not-found.js";

/** What tasks leave to similar ones. */
export interface SimilarTaskVerbs {
  /** Finished tasks that are similar to an objective, most similar first; none where nothing is similar enough, or when
   * `cross_task_learning.enabled` is off. */
  similarTasks(search: SimilarTaskSearch): Promise<SimilarTask[]>;
  /** What a task leaves to similar ones, as the published schema of cross-task learning has it. */
  taskMemory(taskId: string): Promise<TaskMemory>;
}

/** How the verbs reach the store. */
export interface SimilarTaskAccess {
  reading<Result>(work: (store: Store) => Promise<Result>, otherwise: () => Result): Promise<Result>;
  settings(): Promise<Settings>;
  clock: Clock;
}

export function makeSimilarTaskVerbs({ reading, settings, clock }: SimilarTaskAccess): SimilarTaskVerbs {
  return {
    async similarTasks(search) {
      const set = await settings();
      if (!set["cross_task_learning.enabled"]) return [];
      const { similarTasks } = await import("./find-similar-tasks.js");
      return reading(
        (store) => similarTasks(store, search, set, clock()),
        () => [],
      );
    },
    taskMemory: (id) =>
      reading(
        async (store) => (await import("./task-memory.js")).taskMemory(store, id),
        () => {
          throw taskNotFound(id);
        },
      ),
  };
}
