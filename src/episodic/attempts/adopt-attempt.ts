import { notBefore } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import { isGone } from "../../processes/runner.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask } from "../tasks/get-task.js";

/** Takes over the running attempt of a process that is gone; undefined when no attempt is running. */
export async function adoptAttempt(
  { store, clock }: EpisodicContext,
  taskId: string,
  runner: Runner,
): Promise<{ attemptId: number; iterations: number } | undefined> {
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const attempt = await tx.attempts.find(task.number, task.current_attempt);
    if (attempt === undefined || attempt.ended !== undefined) return undefined;
    if (!isGone(attempt.runner))
      throw new RalphError("wrong-use", `Attempt ${attempt.id} of ${task.id} is still running`, {
        hint:
          attempt.runner === undefined ? "end it first" : `process ${attempt.runner.pid} is working on it`,
      });
    await tx.attempts.saveRunner(attempt.key, runner);
    await tx.tasks.setStatus(task.number, "running", notBefore(task.updated, clock().toISOString()));
    const results = await tx.iterationResults.list(attempt.key);
    return { attemptId: attempt.id, iterations: results.at(-1)?.iteration ?? 0 };
  });
}
