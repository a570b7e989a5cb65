import { dayMs } from "../../domain/clock.js";
import type { Attempt } from "../../domain/tasks/attempt.js";
import { type Reflection, saysSomething } from "../../domain/tasks/reflection.js";
import {
  type TaskMemory,
  type TaskMemoryReflection,
  taskMemoryReflectionTypes,
} from "../../domain/tasks/task-memory.js";
import type { WindowOptions } from "../../episodic/reflections/reflection-window.js";
import { getTask, publicAttempt, publicReflection, publicTask } from "../../episodic/tasks/get-task.js";
import { type SummarisedTask, summariseTask, type TaskSummary } from "../../episodic/tasks/summarise-task.js";
import { listFiles } from "../../episodic/tasks/task-work.js";
import { classifyTask, crossTaskType } from "../../semantic/classify-task.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { unique } from "../../text/unique.js";
import { errorSimilarity, errorWords } from "./error-words.js";
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
interface SimilarTaskHit {
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

/** What similar tasks can learn from a task; with a window, only its reflections in that window. */
export async function taskMemory(
  repositories: Repositories,
  taskId: string,
  window?: WindowOptions,
): Promise<TaskMemory> {
  const stored = await getTask(repositories, taskId);
  const memory = memoryOf(await readTask(repositories, stored));
  if (window === undefined) return memory;
  const { capacityOf } = await import("../../episodic/reflections/reflection-window.js");
  const outside = Math.max(0, memory.reflections.length - capacityOf(undefined, stored, window));
  return { ...memory, reflections: memory.reflections.slice(outside) };
}

/** A task with its attempts and reflections, without its actions. */
export async function readTask(
  { attempts, reflections }: Repositories,
  stored: StoredTask,
): Promise<SummarisedTask> {
  const task = publicTask(stored);
  const [tried, learned] = await Promise.all([
    attempts.list(stored.number),
    reflections.listLast(stored.number),
  ]);
  return {
    ...task,
    attempts: tried.map((attempt) => publicAttempt(task, attempt)),
    reflections: learned.map(publicReflection),
  };
}

export function memoryOf(task: SummarisedTask): TaskMemory {
  const { outcome, iterations, final_quality, key_learnings } = summariseTask(task);
  const taskType = crossTaskType(classifyTask(task.description));
  return {
    task_id: task.uuid,
    task_description: task.description,
    ...(taskType && { task_type: taskType }),
    timestamp: task.completed ?? task.updated,
    ...(outcome && { outcome }),
    iterations,
    ...(final_quality !== undefined && { final_quality }),
    reflections: task.reflections.map((reflection) => remember(reflection, task.attempts)),
    key_learnings,
    tags: task.tags,
  };
}

function remember(reflection: Reflection, attempts: readonly Attempt[]): TaskMemoryReflection {
  const { observation, analysis, learning, reflection_type: type, effectiveness } = reflection;
  const iteration = iterationOf(reflection, attempts);
  return {
    ...(iteration > 0 && { iteration }),
    content: unique([observation, analysis, learning].map((text) => text.trim()))
      .filter((text) => text !== "")
      .join("\n"),
    type: taskMemoryReflectionTypes[type],
    ...(effectiveness && { effectiveness }),
  };
}

/** The iteration of a reflection, counted over all attempts; the attempt's last one if it is about the whole attempt. */
function iterationOf({ attempt_id: attemptId, iteration }: Reflection, attempts: readonly Attempt[]): number {
  const iterationsOf = (wanted: (id: number) => boolean) =>
    attempts.filter(({ id }) => wanted(id)).reduce((sum, { execution }) => sum + execution.iterations, 0);
  return iterationsOf((id) => id < attemptId) + (iteration ?? iterationsOf((id) => id === attemptId));
}
