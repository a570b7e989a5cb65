import type { Run } from "../../domain/tasks/run.js";
import { numberOfTaskId, type Task } from "../../domain/tasks/task.js";
import { isRunHeld } from "../../episodic/attempts/attempt-lease.js";
import { stateOf } from "../../processes/runner.js";
import type { Repositories } from "../../store/store.js";
import { isRedacted } from "../../text/secrets/mark.js";
import type { RunState } from "./end-run.js";

/** A run that is not over: one that somebody or something interrupted, and that nobody has continued. */
export interface PausedRun {
  run: Run;
  task: Pick<Task, "id" | "description" | "current_attempt">;
  state: Exclude<RunState, "running" | "running elsewhere"> | "interrupted";
  /** Not if its check holds a secret, which was not stored. */
  isResumable: boolean;
}

/** Newest first. A task is listed once, with its last run. */
export async function listPausedRuns(repositories: Repositories, now: Date): Promise<PausedRun[]> {
  const paused: PausedRun[] = [];
  for (const run of (await repositories.runs.listLastOfTasks()).reverse()) {
    if (run.ended !== undefined && run.end?.kind !== "interrupted") continue;
    const task = await repositories.tasks.find(numberOfTaskId(run.task_id) ?? 0);
    // Somebody may have continued the task by hand.
    if (
      task === undefined ||
      (run.ended === undefined ? task.status === "completed" : task.status !== "paused")
    )
      continue;
    if (await isRunHeld(repositories, run, now)) continue;
    const isResumable = !hasSecretCheck(run);
    paused.push({ run, task, state: stateOfPaused(run), isResumable });
  }
  return paused;
}

/** Whether a check of the run holds a secret: it was not stored with it, so that it cannot be run again. */
export function hasSecretCheck({ options }: Run): boolean {
  return options.verify.some(isRedacted);
}

function stateOfPaused({ ended, runner }: Run): PausedRun["state"] {
  if (ended !== undefined) return "interrupted";
  return stateOf(runner) === "gone" ? "process gone" : "lease lapsed";
}
