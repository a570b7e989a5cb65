import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import { completeAttempt } from "../../episodic/attempts/end-attempt.js";
import { endTurn } from "../../episodic/attempts/end-iteration.js";
import { logEntries } from "../../episodic/attempts/log-entries.js";
import type { Store } from "../../store/store.js";
import { findDelivered } from "../away/place-of-task.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { TaskContext } from "../project/task-context.js";
import { learnFromAttempt } from "../tasks/tasks.js";
import type { OutboxEntry } from "./outbox-entry.js";

export interface Delivered {
  delivered: number;
  /** What the record does not take any more, such as the result of a task that somebody else has ended. */
  refused: { entry: OutboxEntry; why: string }[];
}

/**
 * Records what waits, in the order in which it was kept, each once, also if an earlier delivery was cut off in the middle. It
 * counts as having happened when it was kept.
 */
export async function deliverOutbox(
  session: Pick<MemoryAccess, "settings">,
  context: TaskContext,
): Promise<Delivered> {
  const { store } = context;
  const result: Delivered = { delivered: 0, refused: [] };
  for (;;) {
    const waiting = await store.outbox.first();
    if (waiting === undefined) return result;
    const kept = JSON.parse(waiting.entry) as OutboxEntry;
    const then = { ...context, clock: () => new Date(waiting.kept) };
    const entry = { ...kept, taskId: (await findDelivered(store, kept.taskId))?.id ?? kept.taskId };
    try {
      await recordOnce({ ...then, store: deliveringOnce(store, waiting.token) }, entry);
      // Also if it was recorded before: what follows from a result may have been cut off.
      if (entry.verb === "complete" || entry.verb === "learn")
        await learnFromAttempt(session, then, entry.taskId, { isFatal: isStoreAway });
      result.delivered += 1;
    } catch (error) {
      if (!(error instanceof RalphError) || !isFinal(error)) throw error;
      result.refused.push({ entry, why: error.message });
    }
    await store.outbox.remove(waiting.number);
  }
}

/** Nothing can be done about it. */
function isFinal({ code }: RalphError): boolean {
  return code === "wrong-use" || code === "not-found" || code === "taken-over";
}

async function recordOnce(context: TaskContext, entry: OutboxEntry): Promise<void> {
  try {
    await record(context, entry);
  } catch (error) {
    const wasDelivered = error instanceof RalphError && error.code === "already-exists";
    if (!wasDelivered) throw error;
  }
}

/** The first transaction records the entry; the server knows it by its token. */
function deliveringOnce(store: Store, token: string): Store {
  let isFirst = true;
  return {
    ...store,
    transaction(work, options) {
      const given = isFirst ? { ...options, token } : options;
      isFirst = false;
      return store.transaction(work, given);
    },
  };
}

async function record(context: TaskContext, entry: OutboxEntry): Promise<void> {
  switch (entry.verb) {
    case "log":
      await logEntries(context, entry.taskId, entry.entries, entry.runId);
      return;
    case "end-turn":
      await endTurn(context, entry.taskId, entry.turn);
      return;
    case "complete":
      await completeAttempt(context, entry.taskId, entry.result);
      return;
    case "learn":
      return;
  }
}
