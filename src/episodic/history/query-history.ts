import { secondsBetween } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Action, Milestone } from "../../domain/tasks/action.js";
import {
  type Attempt,
  type CapacityChange,
  type IterationResult,
  pickAttempt,
} from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { numberOfTaskId, sessionTaskUuid, type Task } from "../../domain/tasks/task.js";
import type { StoredTask, TaskFilter } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask, publicAttempt, publicReflection, publicTask } from "../tasks/get-task.js";
import { type AttemptWork, readTaskWork } from "../tasks/task-work.js";

export interface AttemptHistory extends Attempt {
  /** The plan as it was given to the agent. */
  plan_text?: string;
  /** Empty when only a summary is shown. */
  actions: Action[];
  /** For older attempts, unless the full history was requested. */
  actions_summary?: string;
  milestones: Milestone[];
  results: IterationResult[];
}

/** Everything about one task. */
export interface TaskHistory extends Task {
  attempts: AttemptHistory[];
  reflections: Reflection[];
  /** Changes of the reflection window. */
  memory_capacity_changes: CapacityChange[];
}

export interface HistoryOptions {
  /** All actions, even where a summary would be shown. */
  isFull?: boolean | undefined;
}

/** Newest first. */
export async function listTasks(
  { store }: EpisodicContext,
  filter: TaskFilter,
  limit?: number,
  offset?: number,
): Promise<Task[]> {
  return (await store.tasks.list(filter, limit, offset)).map(publicTask);
}

export async function queryHistory(
  { store }: { store: Repositories },
  taskId: string,
  { isFull = false }: HistoryOptions = {},
): Promise<TaskHistory> {
  const number = numberOfTaskId(taskId) ?? 0;
  const [task, { attempts, reflections }, milestones, changes] = await Promise.all([
    getTask(store, taskId),
    readTaskWork(store, number),
    store.actions.listMilestonesForTask(number),
    store.capacityChanges.list(number),
  ]);
  const toHistory = async (work: AttemptWork): Promise<AttemptHistory> => {
    const { actions: _actions, results, ...attempt } = work;
    const { plan_text, actions_summary } = attempt;
    return {
      ...publicAttempt(task, attempt),
      ...(plan_text && { plan_text }),
      ...(actions_summary && !isFull && { actions_summary }),
      actions: await shownActions(store, work, isFull),
      milestones: milestones.get(attempt.key) ?? [],
      results,
    };
  };
  return {
    ...publicTask(task),
    attempts: await Promise.all(attempts.map(toHistory)),
    reflections: reflections.map(publicReflection),
    memory_capacity_changes: changes,
  };
}

async function shownActions(store: Repositories, attempt: AttemptWork, isFull: boolean): Promise<Action[]> {
  if (attempt.actions_summary === undefined) return attempt.actions;
  return isFull ? (await import("./archive-history.js")).listPackedActions(store, attempt) : [];
}

/** One action of a replay. */
export interface ReplayStep extends Action {
  /** Counts from 1 within the attempt. */
  step: number;
  /** Seconds since the attempt began. */
  at_seconds: number;
  /** Seconds until the next action, or until the attempt ended. */
  took_seconds: number;
}

export interface Replay {
  task_id: string;
  description: string;
  attempt_id: number;
  outcome?: string;
  steps: ReplayStep[];
  /** What the agent said at the end of each iteration, and what was found. */
  iterations: IterationResult[];
}

/** The actions of an attempt, the last one by default, with their timing. */
export async function replayAttempt(
  context: EpisodicContext,
  taskId: string,
  { attempt: id, from = 1 }: { attempt?: number | undefined; from?: number | undefined },
): Promise<Replay> {
  const history = await queryHistory(context, taskId, { isFull: true });
  const attempt = pickAttempt(history, history.attempts, id);
  const steps = toSteps(attempt);
  if (from < 1 || from > Math.max(1, steps.length)) {
    throw new RalphError("wrong-use", `Attempt ${attempt.id} of ${history.id} has no step ${from}`, {
      hint: `it has ${counted(steps.length, "step")}`,
    });
  }
  return {
    task_id: history.id,
    description: history.description,
    attempt_id: attempt.id,
    ...(attempt.outcome && { outcome: attempt.outcome.status }),
    steps: steps.slice(from - 1),
    iterations: from === 1 ? attempt.results : attempt.results.filter(isAfter(steps[from - 1])),
  };
}

function isAfter(step: ReplayStep | undefined) {
  return ({ iteration }: IterationResult) => step === undefined || iteration >= step.iteration;
}

function toSteps({ started, ended, actions }: AttemptHistory): ReplayStep[] {
  return actions.map((action, index) => ({
    step: index + 1,
    at_seconds: secondsBetween(started, action.timestamp),
    took_seconds: secondsBetween(
      action.timestamp,
      actions[index + 1]?.timestamp ?? ended ?? action.timestamp,
    ),
    ...action,
  }));
}

/** The tasks of an agent's session so far, in order, whether recorded by hooks or from its transcript. */
export async function listSessionTasks(
  { tasks }: Pick<Repositories, "tasks">,
  agent: string,
  sessionId: string,
): Promise<StoredTask[]> {
  const found: StoredTask[] = [];
  for (;;) {
    const task = await tasks.findByUuid(sessionTaskUuid(agent, sessionId, found.length));
    if (task === undefined) return found;
    found.push(task);
  }
}
