import { type Action, subjectOf } from "../domain/tasks/action.js";
import { aboutAttempt } from "../domain/tasks/reflection.js";
import type { Task } from "../domain/tasks/task.js";
import type { TaskHistory } from "../episodic/history/query-history.js";
import { counted } from "../text/counted.js";
import { clipped, line } from "./as-data.js";

const shownActions = 50;
const shownErrors = 20;

/** A task as one line of text, and as a value. */
export function describeTask({ id, status, description, total_attempts: attempts, updated }: Task) {
  return {
    text: `- ${id} (${status}, ${counted(attempts, "attempt")}): ${line(description)}`,
    value: { id, status, attempts, updated, description: clipped(description) },
  };
}

/** What a reader wants to know of a task: how each attempt went, and what was learned; not each action. */
export function describeHistory(history: TaskHistory): { lines: string[]; value: Record<string, unknown> } {
  const task = describeTask(history);
  const attempts = history.attempts.map(({ id, started, ended, outcome, execution, errors_encountered }) => ({
    id,
    outcome: outcome?.status ?? "running",
    ...(outcome?.reason && { reason: clipped(outcome.reason) }),
    started,
    ...(ended && { ended }),
    iterations: execution.iterations,
    actions: execution.actions_performed,
    errors: errors_encountered.slice(0, shownErrors).map(({ message, resolution }) => ({
      message: clipped(message, 300),
      ...(resolution && { resolution: clipped(resolution, 300) }),
    })),
  }));
  const reflections = history.reflections.map(({ attempt_id, reflection_type, learning, observation }) => ({
    attempt: attempt_id,
    type: reflection_type,
    learning: clipped(learning || observation),
  }));
  return {
    lines: [
      task.text,
      ...attempts.flatMap(({ id, outcome, reason = "", iterations, errors }) => [
        `- attempt ${id}: ${outcome} after ${counted(iterations, "iteration")}${reason && `, ${line(reason)}`}`,
        ...errors.map(
          ({ message, resolution = "" }) =>
            `  - error: ${line(message)}${resolution && ` → ${line(resolution)}`}`,
        ),
      ]),
      ...reflections.map(
        ({ attempt, type, learning }) => `- reflection ${aboutAttempt(attempt)} (${type}): ${line(learning)}`,
      ),
    ],
    value: { task: task.value, attempts, reflections },
  };
}

/** The last actions of an attempt. */
export function describeActions(actions: readonly Action[]) {
  const last = actions.slice(-shownActions).map((action) => ({
    tool: action.tool,
    what: clipped(subjectOf(action), 200),
    success: action.success,
  }));
  return {
    lines: last.map(
      ({ tool, what, success }) => `- ${success ? "ok" : "failed"}: ${line(`${tool} ${what}`)}`,
    ),
    values: last,
  };
}
