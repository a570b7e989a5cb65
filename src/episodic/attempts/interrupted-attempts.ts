import { notBefore } from "../../domain/clock.js";
import { interrupted, type Runner } from "../../domain/tasks/attempt.js";
import { taskIdOf } from "../../domain/tasks/task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { getTask, numberOf } from "../tasks/get-task.js";
import { holdRun, isAttemptHeld, stillRunning } from "./attempt-lease.js";
import { endAttempt } from "./end-attempt.js";

/** Ends an attempt that is no longer held. */
export async function markInterrupted(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  at: EndingContext,
): Promise<void> {
  await endAttempt(tx, task, attempt, { outcome: "failure", reason: interrupted, status: "paused" }, at);
}

/** Ends all attempts that are no longer held, except those of unfinished runs, which can be resumed; returns their tasks. */
export async function markAllInterrupted({ store, clock, window, root }: EpisodicContext): Promise<string[]> {
  return store.transaction(async (tx) => {
    const unfinished = new Set((await tx.runs.listUnfinished()).map(({ id }) => id));
    const marked: string[] = [];
    for (const attempt of await tx.attempts.listRunning()) {
      const task = await tx.tasks.find(numberOf(attempt));
      if (task === undefined || unfinished.has(attempt.runKey ?? 0)) continue;
      if (await isAttemptHeld(tx, attempt, clock())) continue;
      await markInterrupted(tx, task, attempt, { now: clock().toISOString(), window, root });
      marked.push(taskIdOf(task.number));
    }
    return marked;
  });
}

/** A run takes over the open attempt that is no longer held; undefined when no attempt is open. */
export async function adoptAttempt(
  { store, clock }: EpisodicContext,
  taskId: string,
  runner: Runner,
  runId: number,
): Promise<{ attemptId: number; iterations: number } | undefined> {
  return store.transaction(async (tx) => {
    await holdRun(tx, runId, clock());
    const task = await getTask(tx, taskId);
    const attempt = await tx.attempts.find(task.number, task.current_attempt);
    if (attempt === undefined || attempt.ended !== undefined) return undefined;
    if (await isAttemptHeld(tx, attempt, clock())) throw stillRunning(attempt);
    await tx.attempts.saveRunner(attempt.key, runner, runId);
    await tx.tasks.setStatus(task.number, "running", notBefore(task.updated, clock().toISOString()));
    const results = await tx.iterationResults.list(attempt.key);
    return { attemptId: attempt.id, iterations: results.at(-1)?.iteration ?? 0 };
  });
}
