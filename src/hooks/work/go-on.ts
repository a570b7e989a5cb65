import { randomUUID } from "node:crypto";
import { RalphError } from "../../domain/ralph-error.js";
import type { NewAction } from "../../episodic/attempts/log-entries.js";
import type { Memory } from "../../memory/memory.js";
import { projectOf } from "../../memory/project-of.js";
import { runsOf } from "../../memory/runs/runs.js";
import type { HookContext } from "../handle-event.js";
import { keepForLater } from "../late-actions.js";
import { type AgentSession, isUnreachable, removeSession, sessionFile } from "../session-file.js";
import { beginTask, type SessionWithTask } from "./begin-task.js";

/** Records the first action of a task, which begins with it; while that cannot be done, it waits in a file. */
export async function beginWith(context: HookContext, known: AgentSession, entry: NewAction): Promise<void> {
  // Nobody has asked for anything that may be recorded.
  if (known.unbegun === undefined) return;
  let session: SessionWithTask;
  try {
    session = await beginTask(context, known);
  } catch (error) {
    return keepOrThrow(context, known, { error, entry });
  }
  const action = { ...entry, iteration: session.iteration };
  const record = () => runsOf(context.memory).logActions(session.taskId, [action]);
  await record().catch((error: unknown) => goOn(context, session, { error, entry: action }));
}

/**
 * Records what a session did after its attempt turned out to be over, because somebody ended it, it was resumed or a prompt was
 * killed: work that goes on is another attempt. While the database is out of reach, it waits in a file. Without its task the
 * session is forgotten, so that the next prompt begins one.
 */
export async function goOn(
  context: HookContext,
  session: SessionWithTask,
  { error, entry }: { error: unknown; entry: NewAction },
): Promise<void> {
  const { memory, agent, storeDirectory } = context;
  if (!(error instanceof RalphError)) throw error;
  if (error.code === "not-found") removeSession(sessionFile(storeDirectory, agent, session.session));
  if (error.code !== "wrong-use") return keepOrThrow(context, session, { error, entry });
  try {
    await recordInAnother(memory, session, [entry]);
  } catch (refusal) {
    await keepOrThrow(context, session, { error: refusal, entry });
  }
}

/** Records actions in another attempt. */
export async function recordInAnother(
  memory: Memory,
  { taskId, agent, runner }: SessionWithTask,
  actions: readonly NewAction[],
): Promise<void> {
  try {
    await memory.tasks.start(taskId, { agent, runner, hasBrief: false });
  } catch (refusal) {
    // Another hook has just started it.
    if (!(refusal instanceof RalphError) || isUnreachable(refusal)) throw refusal;
  }
  await runsOf(memory).logActions(taskId, actions);
}

/** An action that cannot be recorded for now waits. */
async function keepOrThrow(
  context: HookContext,
  session: AgentSession,
  { error, entry }: { error: unknown; entry: NewAction },
): Promise<void> {
  if (!(error instanceof RalphError) || !isUnreachable(error)) throw error;
  await keepAction(context, session, entry);
}

/** Keeps an action in a file, with a key by which it is recorded once. */
export async function keepAction(
  { memory, storeDirectory }: HookContext,
  session: AgentSession,
  { idempotencyKey, ...action }: NewAction,
): Promise<void> {
  // Without a prompt that may be recorded, nothing is.
  if (session.taskId === undefined && session.unbegun === undefined) return;
  const { storableAction } = await import("../../episodic/attempts/log-entries.js");
  const safe = await projectOf(memory).redacting(async () => storableAction(action));
  keepForLater(storeDirectory, session, { ...safe, idempotencyKey: idempotencyKey || randomUUID() });
}
