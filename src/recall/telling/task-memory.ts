import type { Attempt } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import {
  type TaskMemory,
  type TaskMemoryReflection,
  taskMemoryReflectionTypes,
} from "../../domain/tasks/task-memory.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { publicAttempt, publicReflection, publicTask } from "../../episodic/tasks/public-records.js";
import { type SummarisedTask, summariseTask } from "../../episodic/tasks/summarise-task.js";
import type { WindowOptions } from "../../episodic/window/window.js";
import { classifyTask } from "../../semantic/classify/classify-task.js";
import { crossTaskType } from "../../semantic/classify/cross-task-type.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { unique } from "../../text/unique.js";

/** What similar tasks can learn from a task; with a window, only its reflections in that window. */
export async function taskMemory(
  repositories: Repositories,
  taskId: string,
  window?: WindowOptions,
): Promise<TaskMemory> {
  const stored = await getTask(repositories, taskId);
  const memory = memoryOf(await readTask(repositories, stored));
  if (window === undefined) return memory;
  const { capacityOf } = await import("../../episodic/window/window.js");
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
