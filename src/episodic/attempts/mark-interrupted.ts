import { interrupted } from "../../domain/tasks/attempt.js";
import { taskIdOf } from "../../domain/tasks/task.js";
import { isGone } from "../../processes/runner.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { numberOf } from "../tasks/get-task.js";
import { endAttempt } from "./end-attempt.js";

/** Ends an attempt whose process is gone. */
export async function markInterrupted(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  at: EndingContext,
): Promise<void> {
  await endAttempt(tx, task, attempt, { outcome: "failure", reason: interrupted, status: "paused" }, at);
}

/** Ends all attempts whose process is gone; returns the ids of their tasks. */
export async function markAllInterrupted({ store, clock, window, root }: EpisodicContext): Promise<string[]> {
  return store.transaction(async (tx) => {
    const marked: string[] = [];
    for (const attempt of await tx.attempts.listRunning()) {
      const task = await tx.tasks.find(numberOf(attempt));
      if (task === undefined || !isGone(attempt.runner)) continue;
      await markInterrupted(tx, task, attempt, { now: clock().toISOString(), window, root });
      marked.push(taskIdOf(task.number));
    }
    return marked;
  });
}
