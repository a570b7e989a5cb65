import type { Attempt } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";

/** A task without fields internal to the store. */
export function publicTask({ number: _number, memory_capacity: _capacity, ...task }: StoredTask): Task {
  return task;
}

/** An attempt without internal fields, with its task's context. */
export function publicAttempt(task: Task, stored: StoredAttempt): Attempt {
  const {
    key: _key,
    runner: _runner,
    runKey: _run,
    seenAt: _seen,
    readAt: _read,
    plan_text: _plan,
    actions_summary: _summary,
    files,
    ...attempt
  } = stored;
  const { description, phase, constraints } = task;
  return {
    ...attempt,
    context: { goal: description, ...(phase && { phase }), constraints, files_involved: files },
  };
}

export function publicReflection({ key: _key, ...reflection }: StoredReflection): Reflection {
  return reflection;
}
