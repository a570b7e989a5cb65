import { notBefore } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Plan, Runner } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { isGone } from "../../processes/runner.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { clipDeep } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { getTask } from "../tasks/get-task.js";
import { capacityOf, reflectionsInWindow } from "../window/window.js";
import { makePlan, type PlanInput, renderPlan } from "./make-plan.js";
import { markInterrupted } from "./mark-interrupted.js";

export interface StartAttemptInput {
  plan?: PlanInput | undefined;
  agent?: string | undefined;
  /** How many reflections to start with (Ω), or the name of a preset. */
  memory?: number | string | undefined;
  /** The process that drives the attempt. */
  runner?: Runner | undefined;
}

export interface StartedAttempt {
  taskId: string;
  attemptId: number;
  plan: Plan;
  /** The plan as Markdown. */
  planText: string;
  reflections: Reflection[];
  memoryCapacity: number;
}

/** Writes an introduction to the plan, in the transaction that starts the attempt; may be empty. */
export type Introduce = (
  tx: Repositories,
  start: { agent: string | undefined; now: string },
) => Promise<string>;

/** Starts the next attempt of a task with the lessons of earlier ones. */
export async function startAttempt(
  { store, clock, window, root }: EpisodicContext,
  taskId: string,
  given: StartAttemptInput,
  introduce?: Introduce,
): Promise<StartedAttempt> {
  const input = { ...given, plan: clipDeep(redactDeep(given.plan)), agent: redactDeep(given.agent) };
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const now = notBefore(task.updated, clock().toISOString());
    const capacity = capacityOf(input.memory, task, window);
    await endPreviousAttempt(tx, task, { now, window, root });
    const id = task.total_attempts + 1;
    const reflections = await reflectionsInWindow(tx, task, capacity);
    const plan = makePlan(task, reflections, input.plan ?? {});
    const agent = input.agent ?? task.agent;
    const introduction = (await introduce?.(tx, { agent, now })) ?? "";
    const planText = introduction + renderPlan(task, id, plan, { reflections, introduction });
    await tx.tasks.countAttempt(task.number, now);
    await tx.tasks.setStatus(task.number, "running", now);
    await tx.attempts.add({
      taskNumber: task.number,
      id,
      started: now,
      plan,
      planText,
      memoryCapacity: capacity,
      agent,
      runner: input.runner,
    });
    return {
      taskId: task.id,
      attemptId: id,
      plan,
      planText,
      reflections,
      memoryCapacity: capacity,
    };
  });
}

/** Only one attempt of a task runs at a time; one whose process is gone is marked as interrupted. */
async function endPreviousAttempt(tx: Repositories, task: StoredTask, at: EndingContext): Promise<void> {
  const last = await tx.attempts.find(task.number, task.current_attempt);
  if (last === undefined || last.ended !== undefined) return;
  if (!isGone(last.runner)) {
    const where = last.runner === undefined ? "" : ` (process ${last.runner.pid})`;
    throw new RalphError("wrong-use", `Attempt ${last.id} of ${task.id} is still running${where}`, {
      hint: `end it with "ralph task complete ${task.id} --outcome failure"`,
    });
  }
  await markInterrupted(tx, task, last, at);
}
