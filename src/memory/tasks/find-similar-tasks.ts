import type { Settings } from "../../config/default-settings.js";
import { dayMs } from "../../domain/clock.js";
import type { TaskType } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { listFiles } from "../../episodic/attempts/work-done.js";
import { type SummarisedTask, summariseTask, type TaskSummary } from "../../episodic/tasks/summarise-task.js";
import type { SimilarTask } from "../../recall/similar/similar-task.js";
import { findSimilarTasks, type SimilarTaskHit } from "../../recall/similar/similar-tasks.js";
import { classifyTask } from "../../semantic/extract/classify-task.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { memoryOf, readTask } from "./task-memory.js";

export interface SimilarTaskSearch {
  objective: string;
  /** Tasks of this type come first among equally similar ones. */
  taskType?: TaskType | undefined;
  /** Messages of errors that have been met. */
  errors?: readonly string[] | undefined;
  /** Files that the work is about. */
  files?: readonly string[] | undefined;
  /** How many at most; what is set by default. */
  topK?: number | undefined;
  /** From 0 to 1; what is set by default. */
  threshold?: number | undefined;
  /** 0 for any age; what is set by default. */
  maxAgeDays?: number | undefined;
  /** The task that is being worked on. */
  excludeTaskId?: string | undefined;
}

/** Finished tasks that are similar to an objective, with what they leave to it; none where nothing is similar enough. */
export async function similarTasks(
  repositories: Repositories,
  search: SimilarTaskSearch,
  settings: Settings,
  now: Date,
): Promise<SimilarTask[]> {
  const { objective, taskType, errors, files, excludeTaskId } = search;
  if (typeof objective !== "string" || objective.trim() === "") {
    throw new RalphError("wrong-use", "Similar tasks need an objective", {
      hint: 'such as { objective: "Fix the login test" }',
    });
  }
  const hits = await findSimilarTasks(repositories, {
    objective,
    errors,
    files,
    excludeTaskId,
    topK: wholeNumber("topK", search.topK ?? settings["cross_task_learning.retrieval.top_k"]),
    threshold: shareOf(search.threshold ?? settings["cross_task_learning.retrieval.similarity_threshold"]),
    maxAgeDays: wholeNumber(
      "maxAgeDays",
      search.maxAgeDays ?? settings["cross_task_learning.retrieval.max_age_days"],
    ),
    now,
    isPreferred: taskType && ((task) => classifyTask(task.description) === taskType),
  });
  const found: SimilarTask[] = [];
  for (const hit of hits) found.push(toSimilarTask(hit, await readTask(repositories, hit.task), now));
  return found;
}

function toSimilarTask(
  { task, similarity, parts }: SimilarTaskHit,
  whole: SummarisedTask,
  now: Date,
): SimilarTask {
  const { outcome, iterations, final_quality, reflections, key_learnings, timestamp } = memoryOf({
    ...whole,
    reflections: whole.reflections.filter(saysSomething),
  });
  return {
    task_id: task.id,
    uuid: task.uuid,
    similarity,
    parts,
    description: task.description,
    ...(outcome && { outcome }),
    iterations,
    ...(final_quality !== undefined && { final_quality }),
    reflections,
    key_learnings,
    summary: inOneLine(summariseTask(whole)),
    age_days: Math.max(0, Math.round(((now.getTime() - Date.parse(timestamp)) / dayMs) * 10) / 10),
  };
}

/** What the rules say where they found nothing to learn is in the summary already. */
function saysSomething({ analysis, learning, written_by: author }: Reflection): boolean {
  return author !== "rules" || analysis !== "" || learning !== "";
}

function inOneLine({ outcome, attempts, files, errors, key_learnings, final_quality }: TaskSummary): string {
  const ended = { success: "succeeded", partial: "got part of the way", failure: "failed" } as const;
  const learned = key_learnings.at(-1);
  return [
    `${outcome ? ended[outcome] : "ended"} in ${counted(attempts, "attempt")}${final_quality === undefined ? "" : `, quality ${final_quality}`}`,
    ...(files.length > 0 ? [`files: ${listFiles(files)}`] : []),
    ...(errors.length > 0 ? [`errors met: ${errors.slice(0, 2).join("; ")}`] : []),
    ...(learned === undefined ? [] : [`learned: ${learned}`]),
  ].join(". ");
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RalphError("wrong-use", `${name} must be a whole number, 0 or more, not ${value}`);
}

function shareOf(threshold: number): number {
  if (threshold >= 0 && threshold <= 1) return threshold;
  throw new RalphError("wrong-use", `threshold must be from 0 to 1, not ${threshold}`);
}
