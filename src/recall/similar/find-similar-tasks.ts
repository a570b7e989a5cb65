import { isTaskType } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { classifyTask } from "../../semantic/classify-task.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { relatedTasks, similarTasks as weights } from "../weights.js";
import { type ComparedWork, compareTasks, type TaskComparison } from "./compare-tasks.js";
import { readTask, type SimilarTask, toSimilarTask } from "./similar-task.js";
import type { SimilarityParts } from "./task-similarity.js";

/** Which similar tasks are returned. */
export interface SimilarTaskLimits {
  topK: number;
  /** Least similarity, from 0 to 1. */
  threshold: number;
  /** 0 for any age. */
  maxAgeDays: number;
  excludeTaskId?: string | undefined;
}

interface SimilarTaskQuery extends SimilarTaskLimits, ComparedWork {
  /** Breaks ties between equally similar tasks with the same outcome. */
  taskType?: string | undefined;
}

/** Finished tasks similar to an objective, most similar first; none below the threshold. */
export async function findSimilarTasks(
  repositories: Repositories,
  query: SimilarTaskQuery,
): Promise<SimilarTask[]> {
  if (query.topK <= 0) return [];
  const compared = await compareTasks(repositories, query);
  return mostSimilar(repositories, compared, query);
}

/** The most similar of the compared tasks, with their attempts and reflections. */
export async function mostSimilar(
  repositories: Repositories,
  compared: readonly TaskComparison[],
  query: Pick<SimilarTaskQuery, "topK" | "threshold" | "taskType" | "errors" | "now">,
): Promise<SimilarTask[]> {
  const hits = compared
    .filter(({ similarity }) => rounded(similarity) >= query.threshold)
    .sort(moreSimilarFirst(query))
    .slice(0, query.topK);
  return Promise.all(
    hits.map(async ({ task, similarity, parts }) => {
      const hit = { task, similarity: rounded(similarity), parts: roundedParts(parts) };
      return toSimilarTask(hit, await readTask(repositories, task), query);
    }),
  );
}

function roundedParts({ file, words, ...numbers }: SimilarityParts): SimilarityParts {
  const entries = Object.entries(numbers).map(([name, value]) => [name, rounded(value)]);
  return { ...(Object.fromEntries(entries) as typeof numbers), ...(file !== undefined && { file }), words };
}

/** Among almost equally similar tasks, successful ones come first. */
function moreSimilarFirst({ taskType }: Pick<SimilarTaskQuery, "taskType">) {
  // Each is compared several times while they are sorted.
  const known = new Map<StoredTask, boolean>();
  const isPreferred = (task: StoredTask): boolean => {
    const before = known.get(task);
    if (before !== undefined) return before;
    const isOfType =
      taskType !== undefined && isTaskType(taskType) && classifyTask(task.description) === taskType;
    known.set(task, isOfType);
    return isOfType;
  };
  const step = ({ similarity }: TaskComparison) => Math.round(similarity / weights.nearlyEqual);
  return (one: TaskComparison, other: TaskComparison): number =>
    step(other) - step(one) ||
    Number(other.succeeded) - Number(one.succeeded) ||
    Number(isPreferred(other.task)) - Number(isPreferred(one.task)) ||
    other.similarity - one.similarity ||
    other.task.number - one.task.number;
}

/** The nearest of the compared tasks, by id, with their similarity; none if all are alike by chance. */
export function nearestTasks(compared: readonly TaskComparison[]): ReadonlyMap<string, number> {
  if (!compared.some(({ similarity }) => similarity >= relatedTasks.nearest)) return new Map();
  return new Map(
    compared
      .filter(({ similarity }) => similarity >= relatedTasks.leastSimilarity)
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, relatedTasks.most)
      .map(({ task, similarity }) => [task.id, similarity]),
  );
}
