import { RalphError } from "../../domain/ralph-error.js";
import { attemptSilenceMs, leaseMs, leaseUntil } from "../../domain/tasks/lease.js";
import type { Run } from "../../domain/tasks/run.js";
import { isHeld } from "../../processes/is-held.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { getRunningAttempt, numberOf } from "../tasks/get-task.js";

/** Whether a run still holds its task. */
export async function isRunHeld(repositories: Repositories, run: Run, now: Date): Promise<boolean> {
  if (run.ended !== undefined) return false;
  const lastRecorded = () => repositories.runs.lastRecorded(numberOf(run));
  return isHeld(run, now, { lastRecorded, silenceMs: leaseMs });
}

/** Whether somebody still works on an attempt: its run, or the process that started it by hand. */
export async function isAttemptHeld(
  repositories: Repositories,
  attempt: StoredAttempt,
  now: Date,
): Promise<boolean> {
  if (attempt.runKey !== undefined) {
    const run = await repositories.runs.find(attempt.runKey);
    return run !== undefined && isRunHeld(repositories, run, now);
  }
  // Started by a program that did not say who it is: only that program can end it.
  if (attempt.runner === undefined) return true;
  const lastRecorded = () => repositories.runs.lastRecorded(numberOf(attempt));
  return isHeld(attempt, now, { lastRecorded, silenceMs: attemptSilenceMs });
}

/** Renews the lease of the run that writes; an error if somebody else has taken its task over. */
export async function holdRun(
  repositories: Repositories,
  runId: number | undefined,
  now: Date,
): Promise<void> {
  if (runId === undefined || (await repositories.runs.renew(runId, leaseUntil(now)))) return;
  const run = await repositories.runs.find(runId);
  if (run?.ended !== undefined) throw takenOver(run);
}

/** The running attempt, to record something in it; if a run does so, it must still hold the task, and the attempt be its own. */
export async function getHeldAttempt(
  repositories: Repositories,
  task: StoredTask,
  runId: number | undefined,
  now: Date,
): Promise<StoredAttempt> {
  await holdRun(repositories, runId, now);
  const attempt = await getRunningAttempt(repositories, task);
  if (runId !== undefined && attempt.runKey !== runId)
    throw takenOver({ task_id: task.id, end: { evidence: `attempt ${attempt.id} is not its own` } });
  return attempt;
}

function takenOver({
  task_id: id,
  end,
}: {
  task_id: string;
  end?: { evidence: string } | undefined;
}): RalphError {
  const why = end === undefined ? "" : `: ${end.evidence}`;
  return new RalphError("taken-over", `This run of ${id} no longer holds it${why}`, {
    hint: '"ralph status" shows who does; this run records nothing more',
  });
}
