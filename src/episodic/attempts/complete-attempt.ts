import { RalphError } from "../../domain/ralph-error.js";
import { type Attempt, interrupted, outcomes } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { Repositories } from "../../store/store.js";
import { suggest } from "../../text/nearest.js";
import { clipOutput } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { EpisodicContext } from "../episodic-context.js";
import { improveReflection } from "../reflections/improve-reflection.js";
import { publicAttempt } from "../tasks/public-records.js";
import { readTaskWork } from "../tasks/task-work.js";
import type { AttemptResult } from "./attempt-result.js";
import { checkQuality } from "./check-result.js";
import { endAttempt } from "./end-attempt.js";
import { getHeldAttempt } from "./holders.js";

export interface CompletedAttempt {
  attempt: Attempt;
  /** Not set if there was nothing to say. */
  reflection?: Reflection;
  /** On the task as a whole, once it is completed and there is something to say. */
  task_reflection?: Reflection;
  /** Why the rules' reflection was kept although a model should have written one. */
  degraded?: string[];
}

/** Ends the running attempt and reflects on it, if there is something to say; `check` may refuse it. */
export async function completeAttempt(
  context: EpisodicContext,
  taskId: string,
  result: AttemptResult,
  check: (tx: Repositories) => Promise<void> = async () => undefined,
): Promise<CompletedAttempt> {
  checkResult(result);
  const { store, clock, window, root } = context;
  const { attempt, reflection, onTask, report } = await store.transaction(async (tx) => {
    const holding = getHeldAttempt(tx, taskId, result.runId, clock());
    const reading = readTaskWork(tx, numberOfTaskId(taskId) ?? 0);
    const [{ task, attempt: running }] = await Promise.all([holding, reading, check(tx)]);
    const at = { now: clock().toISOString(), window, root };
    const ended = await endAttempt(tx, task, running, withoutSecrets(result), at, reading);
    return { ...ended, attempt: publicAttempt(task, ended.attempt) };
  });
  const completed = {
    attempt,
    ...(reflection && { reflection }),
    ...(onTask && { task_reflection: onTask }),
  };
  // Whoever interrupts an attempt does not wait for a model.
  if (result.reflection !== undefined || result.reason === interrupted) return completed;
  const improved = await improveReflection(context, report);
  if (improved.kind === "improved") return { ...completed, reflection: improved.reflection };
  return improved.kind === "kept" ? { ...completed, degraded: [improved.reason] } : completed;
}

function withoutSecrets({ output, ...result }: AttemptResult): AttemptResult {
  const { reason, ...safe } = redactDeep(result);
  return { ...safe, reason: reason?.trim() || undefined, output: output && clipOutput(output) };
}

function checkResult({ outcome, quality, completionPercent: percent }: AttemptResult): void {
  if (!outcomes.includes(outcome)) {
    throw new RalphError("wrong-use", `Unknown outcome: ${String(outcome)}`, {
      hint: suggest(String(outcome), outcomes),
    });
  }
  checkQuality(quality);
  if (percent !== undefined && !(percent >= 0 && percent <= 100)) {
    throw new RalphError("wrong-use", `Completion is a number from 0 to 100 percent, not ${percent}`);
  }
}
