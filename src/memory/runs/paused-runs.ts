import { lazyModule } from "../../domain/lazy-module.js";
import type { Run } from "../../domain/tasks/run.js";
import { numberOfTaskId, type Task } from "../../domain/tasks/task.js";
import type { Repositories } from "../../store/store.js";
import type { RunState } from "./ending/look-at-run.js";

const holders = lazyModule(() => import("../../episodic/attempts/holders.js"));
const runners = lazyModule(() => import("../../processes/runner.js"));
const marks = lazyModule(() => import("../../text/secrets/mark.js"));

/** A run that is not over: one that somebody or something interrupted, and that nobody has gone on with. */
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
    // Somebody may have gone on with the task by hand.
    if (
      task === undefined ||
      (run.ended === undefined ? task.status === "completed" : task.status !== "paused")
    )
      continue;
    if (await holders.isRunHeld(repositories, run, now)) continue;
    const isResumable = !(await hasSecretCheck(run));
    paused.push({ run, task, state: await stateOfPaused(run), isResumable });
  }
  return paused;
}

/** Whether a check of the run holds a secret: it was not stored with it, so that it cannot be run again. */
export async function hasSecretCheck({ options }: Run): Promise<boolean> {
  const redacted = await Promise.all(options.verify.map((command) => marks.isRedacted(command)));
  return redacted.includes(true);
}

async function stateOfPaused({ ended, runner }: Run): Promise<PausedRun["state"]> {
  if (ended !== undefined) return "interrupted";
  return (await runners.stateOf(runner)) === "gone" ? "process gone" : "lease lapsed";
}
