import type { TaskComparison } from "./similar/compare-tasks.js";
import { relatedTasks as weights } from "./weights.js";

/** The nearest of the compared tasks, by id, with their similarity; none if all are alike by chance. */
export function nearestTasks(compared: readonly TaskComparison[]): ReadonlyMap<string, number> {
  if (!compared.some(({ similarity }) => similarity >= weights.nearest)) return new Map();
  return new Map(
    compared
      .filter(({ similarity }) => similarity >= weights.leastSimilarity)
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, weights.most)
      .map(({ task, similarity }) => [task.id, similarity]),
  );
}
