import { isByRalph } from "../../domain/tasks/action.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { KeyedAction } from "../../store/repositories/tasks/actions.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import type { EpisodicContext } from "../episodic-context.js";
import { improveReflections } from "../reflections/improve-reflection.js";
import type { WorkReport } from "../reflections/work-report.js";
import { recordIterationEnd } from "./end-iteration.js";
import { getHeldAttempt } from "./holders.js";
import type { LogEntry } from "./read-log-entry.js";

// Most entries are actions, which are only recorded.

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
  // How an iteration ended concerns the whole task.
  const holds = entries.some(({ kind }) => kind === "iteration") ? "project" : "attempt";
  const { failed, ...logged } = await store.transaction(
    async (tx) => {
      const [{ task, attempt }, known] = await Promise.all([
        getHeldAttempt(tx, taskId, runId, clock()),
        listKnownKeys(tx, taskId, entries),
      ]);
      const { duplicates } = await recordActions(tx, attempt, entries, known);
      const failedIterations: WorkReport[] = [];
      for (const entry of entries) {
        if (entry.kind !== "iteration") continue;
        const now = entry.result.timestamp ?? clock().toISOString();
        const report = await recordIterationEnd(tx, task, attempt, entry.result, { now, window });
        if (report !== undefined) failedIterations.push(report);
      }
      return { logged: entries.length - duplicates, duplicates, failed: failedIterations };
    },
    { holds },
  );
  const degraded = failed.length === 0 ? [] : await improveReflections(context, failed);
  return degraded.length === 0 ? logged : { ...logged, degraded };
}

/** The keys of entries that were logged before. */
async function listKnownKeys(
  tx: Repositories,
  taskId: string,
  entries: readonly LogEntry[],
): Promise<Set<string>> {
  const keys = entries.flatMap((entry) =>
    entry.kind === "action" && entry.idempotencyKey !== undefined ? [entry.idempotencyKey] : [],
  );
  const number = numberOfTaskId(taskId);
  if (keys.length === 0 || number === undefined) return new Set();
  return new Set(await tx.actions.listKnownKeys(number, keys));
}

/** Comes before the iterations' ends, which look at the actions. */
async function recordActions(
  tx: Repositories,
  attempt: StoredAttempt,
  entries: readonly LogEntry[],
  known: Set<string>,
): Promise<{ duplicates: number }> {
  const fresh: KeyedAction[] = [];
  let duplicates = 0;
  let iteration = 0;
  for (const entry of entries) {
    if (entry.kind === "milestone") await tx.actions.recordMilestone(attempt.key, entry.milestone);
    else if (entry.kind === "iteration") iteration = Math.max(iteration, entry.result.iteration);
    else {
      const { action, idempotencyKey: key } = entry;
      if (key !== undefined && known.has(key)) duplicates += 1;
      else fresh.push({ action, key });
      if (key !== undefined) known.add(key);
      iteration = Math.max(iteration, action.iteration);
    }
  }
  if (fresh.length > 0) await tx.actions.recordAll(attempt.key, fresh);
  const performed = fresh.filter(({ action }) => !isByRalph(action)).length;
  await tx.attempts.countActions(attempt.key, performed, iteration);
  return { duplicates };
}
