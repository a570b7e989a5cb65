import { dayMs } from "../../domain/clock.js";
import { saysSomething } from "../../domain/tasks/reflection.js";
import type { TaskMemory, TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import { type SummarisedTask, summariseTask, type TaskSummary } from "../../episodic/tasks/summarise-task.js";
import { listFiles } from "../../episodic/tasks/work-done.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { counted } from "../../text/counted.js";
import { memoryOf } from "./task-memory.js";
import type { SimilarityParts } from "./task-similarity.js";

/** A finished task similar to an objective, with its reflections and learnings. */
export interface SimilarTask {
  task_id: string;
  uuid: string;
  /** The probability that it is about the same part of the project, or of the same family. */
  similarity: number;
  parts: SimilarityParts;
  description: string;
  outcome?: NonNullable<TaskMemory["outcome"]>;
  iterations: number;
  final_quality?: number;
  reflections: TaskMemoryReflection[];
  key_learnings: string[];
  /** How it went, in one line. */
  summary: string;
  age_days: number;
}

/** A hit whose attempts and reflections have not been read yet. */
export interface SimilarTaskHit {
  task: StoredTask;
  similarity: number;
  parts: SimilarityParts;
}

export function toSimilarTask(
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
