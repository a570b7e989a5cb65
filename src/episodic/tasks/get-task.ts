import { RalphError } from "../../domain/ralph-error.js";
import type { Attempt } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { numberOfTaskId, type Task, taskIdOf } from "../../domain/tasks/task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";

/** The task with this id; for an unknown one, the error suggests similar ids. */
export async function getTask(repositories: Repositories, id: string): Promise<StoredTask> {
  const number = numberOfTaskId(id);
  const task = number === undefined ? undefined : await repositories.tasks.find(number);
  if (task !== undefined) return task;
  const highest = await repositories.tasks.highestNumber();
  const hint =
    highest === 0
      ? 'there are no tasks yet; "ralph task init" creates one'
      : nearTasks(nearNumbers(number ?? highest, highest), highest);
  throw new RalphError("not-found", `Task not found: ${id}`, { hint });
}

/** Suggests existing ids and says that there are more. */
function nearTasks(numbers: readonly number[], highest: number): string {
  const isEnd = numbers.at(-1) === highest;
  const lead = numbers.length === highest ? "known" : isEnd ? `the last of ${highest}` : "the nearest";
  return `${lead}: ${numbers.map(taskIdOf).join(", ")}`;
}

function nearNumbers(number: number, highest: number): number[] {
  const last = Math.min(highest, Math.max(number + 1, 3));
  return [last - 2, last - 1, last].filter((candidate) => candidate > 0);
}

/** The number of the task that a record belongs to. */
export function numberOf({ task_id: id }: { task_id: string }): number {
  const number = numberOfTaskId(id);
  if (number === undefined) throw new Error(`Not a task id: ${id}`);
  return number;
}

/** The newest attempt, which must be running. */
export function runningAttempt(task: StoredTask, attempt: StoredAttempt | undefined): StoredAttempt {
  if (attempt === undefined) {
    throw new RalphError("wrong-use", `${task.id} has no attempt yet`, {
      hint: `run "ralph task start ${task.id}"`,
    });
  }
  if (attempt.ended !== undefined) {
    const message = `Attempt ${attempt.id} of ${task.id} ended as ${attempt.outcome?.status}`;
    const giveUp = task.status === "paused" ? `; "ralph stop ${task.id} --discard" gives the task up` : "";
    throw new RalphError("wrong-use", message, {
      hint: `run "ralph task start ${task.id}" for a new one${giveUp}`,
    });
  }
  return attempt;
}

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
