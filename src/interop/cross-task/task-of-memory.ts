import { effectivenessRatings, type Reflection, type ReflectionType } from "../../domain/tasks/reflection.js";
import {
  type TaskMemory,
  type TaskMemoryReflection,
  taskMemoryReflectionTypes,
} from "../../domain/tasks/task-memory.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import { defined } from "../defined.js";
import { newAttempt, newTask } from "../new-task.js";

/** The task that such a memory is about, with one attempt that ended as it says. */
export function taskOfMemory(memory: TaskMemory, layout: string): TaskHistory {
  const { task_id: id, task_description: description, timestamp, outcome, final_quality } = memory;
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  const task = newTask({
    ...{ layout, id, description, created: timestamp, tags: memory.tags },
    ...(isUuid && { uuid: id }),
    status: outcome === undefined ? "paused" : outcome === "success" ? "completed" : "failed",
    ...(outcome === "success" && { completed: timestamp }),
    reflections: memory.reflections.map((reflection) => toReflection(reflection, memory)),
  });
  const status = outcome === "success" ? "success" : "failure";
  const quality = qualityOf(outcome, final_quality);
  const attempt = newAttempt({
    ...{ id: 1, started: timestamp, task },
    ...(outcome !== undefined && {
      ended: timestamp,
      outcome: {
        status,
        ...defined({ final_quality: quality }),
        what_worked: memory.key_learnings,
        what_didnt_work: [],
        suggestions_for_next_time: [],
      },
    }),
    execution: { iterations: memory.iterations },
  });
  return { ...task, attempts: [attempt], current_attempt: 1, total_attempts: 1 };
}

/** From 0 to 1, as here; a task that is only partly done has some. */
function qualityOf(outcome: TaskMemory["outcome"], quality: number | undefined): number | undefined {
  if (quality === undefined) return outcome === "partial" ? 0.5 : undefined;
  return Math.min(1, Math.max(0, quality > 1 ? quality / 100 : quality));
}

function toReflection(
  { content, type, iteration, effectiveness }: TaskMemoryReflection,
  { task_id, timestamp, outcome }: TaskMemory,
): Reflection {
  return {
    timestamp,
    task_id,
    attempt_id: 1,
    ...(iteration !== undefined && { iteration }),
    observation: content,
    analysis: "",
    learning: "",
    action_items: [],
    triggered_by: outcome === "success" ? "success" : outcome === undefined ? "manual" : "failure",
    reflection_type: reflectionTypeOf(type),
    ...defined({ effectiveness: effectivenessRatings.find((rating) => rating === effectiveness) }),
  };
}

function reflectionTypeOf(type: TaskMemoryReflection["type"]): ReflectionType {
  const known = Object.entries(taskMemoryReflectionTypes) as [ReflectionType, string][];
  return known.find(([, word]) => word === type)?.[0] ?? "process-improvement";
}
