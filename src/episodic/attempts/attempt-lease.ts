import { RalphError } from "../../domain/ralph-error.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import { attemptSilenceMs, hasLapsed, leaseMs, leaseUntil, type Run } from "../../domain/tasks/run.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import { stateOf } from "../../processes/runner.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { getTask, numberOf, runningAttempt } from "../tasks/get-task.js";

/** Whether a run still holds its task. */
export async function isRunHeld(repositories: Repositories, run: Run, now: Date): Promise<boolean> {
  if (run.ended !== undefined) return false;
  const lastRecorded = () => repositories.runs.lastRecorded(numberOf(run));
  return isHeld(run, timeOr(run.read_at, now), { lastRecorded, silenceMs: leaseMs });
}

/** Whether an attempt is still worked on, by its run or the process that started it by hand. */
export async function isAttemptHeld(
  repositories: Repositories,
  attempt: StoredAttempt,
  now: Date,
): Promise<boolean> {
  if (attempt.runKey !== undefined) {
    const run = await repositories.runs.find(attempt.runKey);
    return run !== undefined && isRunHeld(repositories, run, now);
  }
  // The program that started it is unknown, and only that program can end it.
  if (attempt.runner === undefined) return true;
  const { seenAt, readAt } = attempt;
  const lastRecorded = async () => seenAt ?? repositories.runs.lastRecorded(numberOf(attempt));
  const at = seenAt === undefined ? now : timeOr(readAt, now);
  return isHeld(attempt, at, { lastRecorded, silenceMs: attemptSilenceMs });
}

/** The clock of a team's server takes precedence: a machine's clock may be wrong. */
function timeOr(serverTime: string | undefined, now: Date): Date {
  return serverTime === undefined ? now : new Date(serverTime);
}

/** A process that holds a task, and until when it said so. */
interface Holder {
  runner?: Runner | undefined;
  lease_until?: string | undefined;
}

/**
 * Whether the task is held. The state of the process counts first: one that has ended holds nothing, and one that runs here keeps its task
 * even if the machine slept. For a process that cannot be checked from here, the lease decides or, without a lease, its last record.
 */
async function isHeld(
  { runner, lease_until: until }: Holder,
  now: Date,
  { lastRecorded, silenceMs }: { lastRecorded: () => Promise<string>; silenceMs: number },
): Promise<boolean> {
  const state = stateOf(runner);
  if (state !== "unknown") return state === "running";
  if (until !== undefined) return !hasLapsed(until, now);
  const silentMs = now.getTime() - Date.parse(await lastRecorded());
  // A time in the future comes from a wrong clock.
  return Math.abs(silentMs) < silenceMs;
}

/** Renews the lease of the run; throws if another one has taken its task over. */
export async function holdRun(
  repositories: Repositories,
  runId: number | undefined,
  now: Date,
): Promise<void> {
  if (runId === undefined || (await repositories.runs.renew(runId, leaseUntil(now)))) return;
  const run = await repositories.runs.find(runId);
  if (run?.ended !== undefined) throw takenOver(run);
}

/**
 * A task and its running attempt, locked until the transaction ends, to record something in it. A run must still hold the task, and the
 * attempt must be its own.
 */
export async function getHeldAttempt(
  tx: Repositories,
  taskId: string,
  runId: number | undefined,
  now: Date,
): Promise<{ task: StoredTask; attempt: StoredAttempt }> {
  const number = numberOfTaskId(taskId) ?? 0;
  const [, task, last] = await Promise.all([
    tx.attempts.hold(number),
    getTask(tx, taskId),
    tx.attempts.findLast(number),
    holdRun(tx, runId, now),
  ]);
  const attempt = runningAttempt(task, last);
  if (runId !== undefined && attempt.runKey !== runId)
    throw takenOver({ task_id: task.id, end: { evidence: `attempt ${attempt.id} is not its own` } });
  return { task, attempt };
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

/** The hint always works: stopping the run, or completing the attempt. */
export function stillRunning({ id, task_id: task, runner, runKey }: StoredAttempt): RalphError {
  const where = runner === undefined ? "" : ` (process ${runner.pid} on ${runner.host})`;
  return new RalphError("wrong-use", `Attempt ${id} of ${task} is still running${where}`, {
    hint:
      runKey === undefined
        ? `end it with "ralph task complete ${task} --outcome failure"`
        : `stop its run with "ralph stop ${task}", or "ralph stop --force ${task}"`,
  });
}
