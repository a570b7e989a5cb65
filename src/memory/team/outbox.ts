import { randomUUID } from "node:crypto";
import { isStoreAway } from "../../domain/ralph-error.js";
import type { AttemptResult } from "../../episodic/attempts/end-attempt.js";
import type { Turn } from "../../episodic/attempts/end-iteration.js";
import type { LogEntry, Logged } from "../../episodic/attempts/storable-action.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { MemoryAccess } from "../project/memory-access.js";

/** What is to be recorded once a team's server can be reached. */
export type OutboxEntry =
  | { verb: "log"; taskId: string; entries: readonly LogEntry[]; runId?: number | undefined }
  | { verb: "end-turn"; taskId: string; turn: Turn }
  | { verb: "complete"; taskId: string; result: AttemptResult }
  /** What follows from a result that is recorded: its lessons, and the skills that were used. */
  | { verb: "learn"; taskId: string };

/** What a verb answers when its work waits. */
export interface KeptForLater {
  waits: true;
}

export function isKept(result: object): result is KeptForLater {
  return "waits" in result;
}

/** Does some work, or keeps it on this machine while the team's server cannot be reached. */
export async function orLater<Result>(
  session: MemoryAccess,
  entry: OutboxEntry,
  work: () => Promise<Result>,
): Promise<Result | KeptForLater> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    await session.write(({ store, clock }) =>
      store.outbox.keep({
        token: randomUUID(),
        kept: clock().toISOString(),
        entry: JSON.stringify(redactDeep(entry)),
      }),
    );
    session.notify({ kind: "store-away", message: error.message, isKept: true });
    return { waits: true };
  }
}

/** The same for entries of a log; each action gets a key, so that one of which nobody knows whether it arrived counts once. */
export async function logOrLater(
  session: MemoryAccess,
  entry: OutboxEntry & { verb: "log" },
  work: (entries: readonly LogEntry[]) => Promise<Logged>,
): Promise<Logged> {
  // Only a server leaves it open whether something arrived.
  if (!(await hasServer(session))) return work(entry.entries);
  const entries = entry.entries.map((each) =>
    each.kind === "action" ? { ...each, idempotencyKey: each.idempotencyKey ?? randomUUID() } : each,
  );
  const logged = await orLater(session, { ...entry, entries }, () => work(entries));
  return isKept(logged) ? { logged: 0, duplicates: 0, waiting: entries.length } : logged;
}

/** Learns from a recorded result, and returns what went wrong with that; nothing has, if it waits. */
export async function learnOrLater(
  session: MemoryAccess,
  taskId: string,
  learn: () => Promise<string[]>,
): Promise<string[]> {
  if (!(await hasServer(session))) return learn();
  const problems = await orLater(session, { verb: "learn", taskId }, learn);
  return isKept(problems) ? [] : problems;
}

async function hasServer(session: MemoryAccess): Promise<boolean> {
  return (await session.settings())["store.url"] !== "";
}
