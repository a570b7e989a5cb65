import { RalphError } from "../../domain/ralph-error.js";
import { runsOf } from "../../memory/runs/make-run-verbs.js";
import type { NewAction } from "../../memory/runs/run-verbs.js";
import type { HookContext } from "../handle-event.js";
import { keepForLater } from "../late-actions.js";
import { type AgentSession, removeSession, sessionFile } from "../session-file.js";
import { beginLate } from "./session-task.js";

/** An action that was not recorded, and why. */
interface Unrecorded {
  error: unknown;
  entry: NewAction;
  /** Tries it again. */
  record(): Promise<unknown>;
}

/** Records an action of a session whose task is still to be recorded; while that cannot be done, it waits in a file. */
export async function beginWith(
  context: HookContext,
  session: AgentSession,
  entry: NewAction,
): Promise<void> {
  try {
    const { taskId } = await beginLate(context, session);
    if (taskId !== undefined) await runsOf(context.memory).logActions(taskId, [entry]);
  } catch (error) {
    if (!(error instanceof RalphError) || !["store-away", "store-busy"].includes(error.code)) throw error;
    await keepUnrecorded(context.storeDirectory, session, entry);
  }
}

/** Keeps an action in a file until it can be recorded. */
async function keepUnrecorded(
  storeDirectory: string,
  session: AgentSession,
  { idempotencyKey, ...action }: NewAction,
): Promise<void> {
  const { storableAction } = await import("../../episodic/attempts/storable-action.js");
  keepForLater(storeDirectory, session, { ...storableAction(action), idempotencyKey });
}

/**
 * Records what a session did after its attempt turned out to be over, because somebody ended it or a prompt was killed: work that
 * goes on is another attempt. While others keep the database busy, it waits in a file. Without its task the session is forgotten,
 * so that the next prompt begins one.
 */
export async function goOn(
  { memory, agent, storeDirectory }: HookContext,
  session: AgentSession & { taskId: string },
  { error, entry, record }: Unrecorded,
): Promise<void> {
  if (!(error instanceof RalphError)) throw error;
  if (error.code === "store-busy" && entry.idempotencyKey !== undefined)
    return keepUnrecorded(storeDirectory, session, entry);
  if (error.code === "not-found") removeSession(sessionFile(storeDirectory, agent, session.session));
  if (error.code !== "wrong-use") throw error;
  try {
    await memory.tasks.start(session.taskId, { agent, runner: session.runner, hasBrief: false });
  } catch (refusal) {
    // Another hook has just started it.
    if (!(refusal instanceof RalphError)) throw refusal;
  }
  await record();
}
