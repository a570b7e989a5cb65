import type { Settings } from "../../config/default-settings.js";
import type { TaskType } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { TaskVectors } from "../../recall/similar/compare-tasks.js";
import { findSimilarTasks, type SimilarTaskLimits } from "../../recall/similar/find-similar-tasks.js";
import type { SimilarTask } from "../../recall/similar/similar-task.js";
import type { Repositories } from "../../store/store.js";

export interface SimilarTaskSearch {
  objective: string;
  /** Tasks of this type come first among equally similar ones. */
  taskType?: TaskType | undefined;
  /** Error messages seen so far. */
  errors?: readonly string[] | undefined;
  /** Files the work is about. */
  files?: readonly string[] | undefined;
  /** Maximum number of tasks. Defaults to the setting. */
  topK?: number | undefined;
  /** Least similarity, from 0 to 1. Defaults to the setting. */
  threshold?: number | undefined;
  /** 0 for any age. Defaults to the setting. */
  maxAgeDays?: number | undefined;
  /** The current task. */
  excludeTaskId?: string | undefined;
}

export interface SimilarTaskContext {
  settings: Settings;
  now: Date;
  /** Undefined without an embedder. */
  vectors: TaskVectors | undefined;
}

/** Finished tasks similar to an objective, within the limits of the search or the settings. */
export async function similarTasks(
  repositories: Repositories,
  search: SimilarTaskSearch,
  { settings, now, vectors }: SimilarTaskContext,
): Promise<SimilarTask[]> {
  const { objective, taskType, errors, files } = search;
  if (typeof objective !== "string" || objective.trim() === "") {
    throw new RalphError("wrong-use", "Similar tasks need an objective", {
      hint: 'such as { objective: "Fix the login test" }',
    });
  }
  const limits = similarTaskLimits(search, settings);
  return findSimilarTasks(repositories, { objective, taskType, errors, files, now, vectors, ...limits });
}

export function similarTaskLimits(
  { topK, threshold, maxAgeDays, excludeTaskId }: Omit<SimilarTaskSearch, "objective">,
  settings: Settings,
): SimilarTaskLimits {
  return {
    excludeTaskId,
    topK: wholeNumber("topK", topK ?? settings["cross_task_learning.retrieval.top_k"]),
    threshold: shareOf(threshold ?? settings["cross_task_learning.retrieval.similarity_threshold"]),
    maxAgeDays: wholeNumber(
      "maxAgeDays",
      maxAgeDays ?? settings["cross_task_learning.retrieval.max_age_days"],
    ),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RalphError("wrong-use", `${name} must be a whole number, 0 or more, not ${value}`);
}

function shareOf(threshold: number): number {
  if (threshold >= 0 && threshold <= 1) return threshold;
  throw new RalphError("wrong-use", `threshold must be from 0 to 1, not ${threshold}`);
}
