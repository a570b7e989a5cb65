import { uuidFrom } from "../domain/sha256.js";
import { type Action, isActionType } from "../domain/tasks/action.js";
import { qualityPoints } from "../domain/tasks/attempt.js";
import type { Task } from "../domain/tasks/task.js";
import type { AttemptHistory, TaskHistory } from "../episodic/history/query-history.js";

/** What must be known of a task; everything else may be left out. */
export type NewTask = Pick<TaskHistory, "id" | "description" | "created" | "status"> &
  Partial<TaskHistory> & {
    /** Its uuid follows from the layout and its id there, so that it is known when it comes again. */
    layout: string;
  };

/** A task of another tool. */
export function newTask({ layout, ...given }: NewTask): TaskHistory {
  const { id, created, attempts = [] } = given;
  const last = attempts.at(-1)?.id ?? 0;
  return {
    uuid: uuidFrom(`${layout} ${id}`),
    updated: created,
    current_attempt: last,
    total_attempts: last,
    tags: [],
    related_tasks: [],
    constraints: [],
    reflections: [],
    memory_capacity_changes: [],
    ...given,
    attempts,
  };
}

export type NewAttempt = Pick<AttemptHistory, "id" | "started"> &
  Partial<Omit<AttemptHistory, "plan" | "context" | "execution">> & {
    task: Pick<Task, "id" | "description"> & Partial<Pick<Task, "phase" | "constraints">>;
    plan?: Partial<AttemptHistory["plan"]>;
    files?: string[];
    execution?: Partial<AttemptHistory["execution"]>;
  };

/** An attempt of another tool at a task. */
export function newAttempt({ task, files = [], plan, execution, ...given }: NewAttempt): AttemptHistory {
  const { actions = [], results = [] } = given;
  const { phase, constraints = [] } = task;
  const iterations = [...actions, ...results].map(({ iteration }) => iteration);
  return {
    task_id: task.id,
    plan: { approach: task.description, steps: [], ...plan },
    context: {
      goal: task.description,
      ...(phase !== undefined && { phase }),
      constraints,
      files_involved: files,
    },
    execution: {
      iterations: Math.max(0, ...iterations),
      actions_performed: actions.length,
      quality_history: qualityPoints(results),
      ...execution,
    },
    errors_encountered: [],
    artifacts_produced: [],
    milestones: [],
    ...given,
    actions,
    results,
  };
}

/** An action of another tool, whose name may be one of the known types. */
export function newAction({ tool, ...given }: Pick<Action, "timestamp" | "tool"> & Partial<Action>): Action {
  const type = tool.toLowerCase();
  return {
    iteration: 1,
    ...(isActionType(type) && { type }),
    tool,
    params: {},
    success: given.error === undefined,
    ...given,
  };
}
