import { RalphError } from "../../domain/ralph-error.js";
import type { HookContext } from "../handle-event.js";
import { type AgentSession, removeSession, sessionFile } from "../session-file.js";

/**
 * Records what a session did after its attempt turned out to be over, because somebody ended it or a prompt was killed: work that
 * goes on is another attempt. Without its task the session is forgotten, so that the next prompt begins one.
 */
export async function goOn(
  { memory, agent, storeDirectory }: HookContext,
  { session, taskId, runner }: AgentSession & { taskId: string },
  error: unknown,
  record: () => Promise<unknown>,
): Promise<void> {
  if (!(error instanceof RalphError)) throw error;
  if (error.code === "not-found") removeSession(sessionFile(storeDirectory, agent, session));
  if (error.code !== "wrong-use") throw error;
  try {
    await memory.tasks.start(taskId, { agent, runner, hasBrief: false });
  } catch (refusal) {
    // Another hook has just started it.
    if (!(refusal instanceof RalphError)) throw refusal;
  }
  await record();
}
