import { type Attempt, outcomes } from "../domain/attempt.js";
import { RalphError } from "../domain/ralph-error.js";
import type { Reflection } from "../domain/reflection.js";
import { clipOutput } from "../text/clip-output.js";
import { suggest } from "../text/nearest.js";
import { redact } from "../text/redact.js";
import type { AttemptResult } from "./attempt-result.js";
import { endAttempt } from "./end-attempt.js";
import type { EpisodicContext } from "./episodic-context.js";
import { getRunningAttempt, getTask } from "./get-task.js";
import { publicAttempt } from "./public-records.js";

export interface CompletedAttempt {
  attempt: Attempt;
  reflection: Reflection;
}

/** Ends the attempt that is under way and reflects on it. */
export async function completeAttempt(
  { store, clock }: EpisodicContext,
  taskId: string,
  result: AttemptResult,
): Promise<CompletedAttempt> {
  checkResult(result);
  const safe: AttemptResult = {
    ...result,
    reason: result.reason && redact(result.reason).text,
    output: result.output && clipOutput(result.output),
  };
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const running = await getRunningAttempt(tx, task);
    const [reflection] = await endAttempt(tx, task, running, safe, clock().toISOString());
    const attempt = await tx.attempts.find(task.number, running.id);
    if (attempt === undefined || reflection === undefined)
      throw new Error(`Attempt ${running.id} of ${task.id} vanished`);
    return { attempt: publicAttempt(attempt), reflection };
  });
}

function checkResult({ outcome, quality }: AttemptResult): void {
  if (!outcomes.includes(outcome)) {
    throw new RalphError("wrong-use", `Unknown outcome: ${String(outcome)}`, {
      hint: suggest(String(outcome), outcomes),
    });
  }
  if (quality !== undefined && !(quality >= 0 && quality <= 1)) {
    throw new RalphError("wrong-use", `Quality is a number from 0 to 1, not ${quality}`);
  }
}
