import { lazyModule } from "../../domain/lazy-module.js";
import { isByRalph } from "../../domain/tasks/action.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import type { EpisodicContext } from "../episodic-context.js";
import type { WorkReport } from "../reflections/work-report.js";
import { getTask } from "../tasks/get-task.js";
import { getHeldAttempt } from "./holders.js";
import type { LogEntry } from "./read-log-entry.js";

// Most entries are actions, which are only recorded.
const ending = lazyModule(() => import("./end-iteration.js"));
const improving = lazyModule(() => import("../reflections/improve-reflection.js"));

export interface Logged {
  logged: number;
  /** Entries skipped because they were logged before. */
  duplicates: number;
  /** Entries that wait on this machine until a team's server can be reached. */
  waiting?: number;
  /** Why the rules' reflection was kept although a model should have written one. */
  degraded?: string[];
}

/** Adds entries to the running attempt; a failed iteration is reflected on. */
export async function logEntries(
  context: EpisodicContext,
  taskId: string,
  entries: readonly LogEntry[],
  runId?: number,
): Promise<Logged> {
  const { store, clock, window } = context;
  const { failed, ...logged } = await store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const attempt = await getHeldAttempt(tx, task, runId, clock());
    const { duplicates } = await recordActions(tx, attempt, entries);
    const failedIterations: WorkReport[] = [];
    for (const entry of entries) {
      if (entry.kind !== "iteration") continue;
      const now = entry.result.timestamp ?? clock().toISOString();
      const report = await ending.recordIterationEnd(tx, task, attempt, entry.result, { now, window });
      if (report !== undefined) failedIterations.push(report);
    }
    return { logged: entries.length - duplicates, duplicates, failed: failedIterations };
  });
  const degraded = failed.length === 0 ? [] : await improving.improveReflections(context, failed);
  return degraded.length === 0 ? logged : { ...logged, degraded };
}

/** Comes before the iterations' ends, which look at the actions. */
async function recordActions(
  tx: Repositories,
  attempt: StoredAttempt,
  entries: readonly LogEntry[],
): Promise<{ duplicates: number }> {
  let actions = 0;
  let duplicates = 0;
  let iteration = 0;
  for (const entry of entries) {
    if (entry.kind === "milestone") await tx.actions.recordMilestone(attempt.key, entry.milestone);
    else if (entry.kind === "iteration") iteration = Math.max(iteration, entry.result.iteration);
    else {
      const isNew = await tx.actions.record(attempt.key, entry.action, entry.idempotencyKey);
      if (!isNew) duplicates += 1;
      else if (!isByRalph(entry.action)) actions += 1;
      iteration = Math.max(iteration, entry.action.iteration);
    }
  }
  await tx.attempts.countActions(attempt.key, actions, iteration);
  return { duplicates };
}
