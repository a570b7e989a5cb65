import { dayMs } from "../../domain/clock.js";
import { saysSomething } from "../../domain/tasks/reflection.js";
import type { TaskMemory, TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import { type SummarisedTask, summariseTask, type TaskSummary } from "../../episodic/tasks/summarise-task.js";
import { listFiles } from "../../episodic/tasks/work-done.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { counted } from "../../text/counted.js";
import { unique } from "../../text/unique.js";
import { errorSimilarity, errorWords } from "../similar/error-words.js";
import type { SimilarityParts } from "../similar/task-similarity.js";
import { memoryOf } from "./task-memory.js";

/** A finished task similar to an objective, with its reflections and learnings. */
export interface SimilarTask {
  task_id: string;
  uuid: string;
  /** The probability that it is about the same part of the project, or of the same family. */
  similarity: number;
  parts: SimilarityParts;
  description: string;
  outcome?: NonNullable<TaskMemory["outcome"]>;
  attempts: number;
  iterations: number;
  final_quality?: number;
  /** What went wrong, and what solved it, if anything did; what is like a current error comes first. */
  failures: { message: string; resolution?: string }[];
  what_worked: string[];
  reflections: TaskMemoryReflection[];
  key_learnings: string[];
  /** Files that it was about. */
  files: string[];
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
  { errors = [], now }: { errors?: readonly string[] | undefined; now: Date },
): SimilarTask {
  const { outcome, iterations, final_quality, reflections, key_learnings, timestamp } = memoryOf({
    ...whole,
    reflections: whole.reflections.filter(saysSomething),
  });
  const summary = summariseTask(whole);
  return {
    task_id: task.id,
    uuid: task.uuid,
    similarity,
    parts,
    description: task.description,
    ...(outcome && { outcome }),
    attempts: whole.attempts.length,
    iterations,
    ...(final_quality !== undefined && { final_quality }),
    failures: failuresOf(whole, errors.map(errorWords)),
    what_worked: unique(whole.attempts.flatMap((attempt) => attempt.outcome?.what_worked ?? [])),
    reflections,
    key_learnings,
    files: summary.files,
    summary: inOneLine(summary),
    age_days: Math.max(0, Math.round(((now.getTime() - Date.parse(timestamp)) / dayMs) * 10) / 10),
  };
}

function failuresOf(
  { attempts }: SummarisedTask,
  current: readonly (readonly string[])[],
): SimilarTask["failures"] {
  const likeness = ({ message }: { message: string }) => errorSimilarity(current, [errorWords(message)]);
  return attempts
    .flatMap(({ errors_encountered: errors }) => errors)
    .map(({ message, resolution }) => ({ message, ...(resolution !== undefined && { resolution }) }))
    .toSorted((one, other) => likeness(other) - likeness(one));
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
