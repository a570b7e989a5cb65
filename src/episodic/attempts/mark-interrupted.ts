import { interrupted } from "../../domain/tasks/attempt.js";
import { taskIdOf } from "../../domain/tasks/task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { numberOf } from "../tasks/get-task.js";
import { endAttempt } from "./end-attempt.js";
import { isAttemptHeld } from "./holders.js";

/** Ends an attempt that nobody holds any more. */
export async function markInterrupted(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  at: EndingContext,
): Promise<void> {
  await endAttempt(tx, task, attempt, { outcome: "failure", reason: interrupted, status: "paused" }, at);
}

/** Ends all attempts that nobody holds any more, but for those of unfinished runs, which can be resumed; returns their tasks. */
export async function markAllInterrupted({ store, clock, window, root }: EpisodicContext): Promise<string[]> {
  return store.transaction(async (tx) => {
    const unfinished = new Set((await tx.runs.listUnfinished()).map(({ id }) => id));
    const marked: string[] = [];
    for (const attempt of await tx.attempts.listRunning()) {
      const task = await tx.tasks.find(numberOf(attempt));
      if (task === undefined || unfinished.has(attempt.runKey ?? 0)) continue;
      if (await isAttemptHeld(tx, attempt, clock())) continue;
      await markInterrupted(tx, task, attempt, { now: clock().toISOString(), window, root });
      marked.push(taskIdOf(task.number));
    }
    return marked;
  });
}
