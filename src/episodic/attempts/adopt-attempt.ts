import { notBefore } from "../../domain/clock.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask } from "../tasks/get-task.js";
import { holdRun, isAttemptHeld } from "./holders.js";
import { stillRunning } from "./start-attempt.js";

/** A run takes over the open attempt that nobody holds any more; undefined when no attempt is open. */
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
