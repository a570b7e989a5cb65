import { notBefore } from "../../domain/clock.js";
import type { Plan, Runner } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { clipDeep } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { capacityOf, reflectionsInWindow } from "../reflections/reflection-window.js";
import { getTask } from "../tasks/get-task.js";
import { holdRun, isAttemptHeld, stillRunning } from "./attempt-lease.js";
import { markInterrupted } from "./interrupted-attempts.js";
import { makePlan, type PlanInput, renderPlan } from "./make-plan.js";
import { checkIteration } from "./storable-action.js";

export interface StartAttemptInput {
  plan?: PlanInput | undefined;
  agent?: string | undefined;
  /** How many reflections to start with (Ω), or the name of a preset. */
  memory?: number | string | undefined;
  /** The process that drives the attempt. */
  runner?: Runner | undefined;
  /** The run it is part of; rejected if that run no longer holds the task. */
  runId?: number | undefined;
}

export interface StartedAttempt {
  taskId: string;
  attemptId: number;
  plan: Plan;
  /** The plan as Markdown. */
  planText: string;
  reflections: Reflection[];
  memoryCapacity: number;
  /** The task was completed before. */
  reopened?: true;
}

/** Writes an introduction to the plan, in the transaction that starts the attempt; may be empty. */
type Introduce = (tx: Repositories, starting: { agent: string | undefined; now: string }) => Promise<string>;

/** Starts the next attempt of a task with the lessons of earlier ones. */
export async function startAttempt(
  { store, clock, window, root, actor }: EpisodicContext,
  taskId: string,
  given: StartAttemptInput,
  introduce?: Introduce,
): Promise<StartedAttempt> {
  const estimate = given.plan?.estimated_iterations;
  if (estimate !== undefined) checkIteration(estimate);
  const input = { ...given, plan: clipDeep(redactDeep(given.plan)), agent: redactDeep(given.agent) };
  const madeBy = await actor?.();
  return store.transaction(async (tx) => {
    await holdRun(tx, input.runId, clock());
    const task = await getTask(tx, taskId);
    const now = notBefore(task.updated, clock().toISOString());
    const capacity = capacityOf(input.memory, task, window);
    await endPreviousAttempt(tx, task, clock(), { now, window, root });
    const reflections = reflectionsInWindow(await tx.reflections.listLast(task.number), capacity);
    const agent = input.agent ?? task.agent;
    const introduction = (await introduce?.(tx, { agent, now })) ?? "";
    const id = task.total_attempts + 1;
    const plan = makePlan(task, reflections, input.plan ?? {});
    const planText = introduction + renderPlan(task, id, plan, { reflections, introduction });
    await tx.tasks.countAttempt(task.number, now);
    await tx.tasks.setStatus(task.number, "running", now);
    await tx.attempts.start({
      taskNumber: task.number,
      id,
      started: now,
      plan,
      planText,
      memoryCapacity: capacity,
      agent,
      runner: input.runner,
      runKey: input.runId,
      madeBy,
    });
    return {
      taskId: task.id,
      attemptId: id,
      ...(task.status === "completed" && { reopened: true as const }),
      plan,
      planText,
      reflections,
      memoryCapacity: capacity,
    };
  });
}

/** Only one attempt of a task runs at a time; one that is no longer held is marked as interrupted. */
async function endPreviousAttempt(
  tx: Repositories,
  task: StoredTask,
  now: Date,
  at: EndingContext,
): Promise<void> {
  const last = await tx.attempts.findLast(task.number);
  if (last === undefined || last.ended !== undefined) return;
  if (await isAttemptHeld(tx, last, now)) throw stillRunning(last);
  await markInterrupted(tx, task, last, at);
}
