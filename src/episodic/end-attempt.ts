import type { Outcome } from "../domain/attempt.js";
import type { Reflection } from "../domain/reflection.js";
import type { StoredAttempt } from "../store/repositories/attempts.js";
import type { StoredTask } from "../store/repositories/tasks.js";
import type { Repositories } from "../store/store.js";
import type { AttemptResult } from "./attempt-result.js";
import { indexTask } from "./index-task.js";
import { errorsOf, failuresOf, reflectOnAttempt, reflectOnTask } from "./reflect-by-rules.js";

/** Ends an attempt: outcome, reflection, state of the task, and what can be found of it. */
export async function endAttempt(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  result: AttemptResult,
  now: string,
): Promise<Reflection[]> {
  const actions = await tx.actions.list(attempt.key);
  const earlier = await tx.attempts.find(task.number, attempt.id - 1);
  const facts = { task, attempt, actions, result, earlier, failures: failuresOf(actions, result.output) };
  const reflection = reflectOnAttempt(facts, now);
  const outcome: Outcome = {
    status: result.outcome,
    ...(result.reason && { reason: result.reason }),
    ...finalQuality(attempt, result),
    ...(result.completionPercent !== undefined && { completion_percent: result.completionPercent }),
    what_worked: [...(result.whatWorked ?? [])],
    what_didnt_work: result.outcome === "success" ? [] : [reflection.observation],
    suggestions_for_next_time: result.outcome === "success" ? [] : reflection.action_items,
  };
  await tx.attempts.end(attempt.key, {
    ended: now,
    outcome,
    errors: result.errors ?? (result.outcome === "success" ? [] : errorsOf(facts)),
    artifacts: result.artifacts ?? [],
    gitCommit: result.gitCommit,
  });
  const status = result.status ?? (result.outcome === "success" ? "completed" : "failed");
  const written = status === "completed" ? [reflection, reflectOnTask(facts, now)] : [reflection];
  for (const entry of written) await tx.reflections.record(task.number, entry);
  await tx.tasks.setStatus(task.number, status, now);
  await indexTask(tx, { ...task, status, updated: now });
  return written;
}

function finalQuality(attempt: StoredAttempt, { quality }: AttemptResult): Pick<Outcome, "final_quality"> {
  const value = quality ?? attempt.execution.quality_history.at(-1)?.quality;
  return value === undefined ? {} : { final_quality: value };
}
