import { RalphError } from "../../domain/ralph-error.js";
import { isLearnedLine } from "../../domain/tasks/agent-text.js";
import { runsOf } from "../../memory/runs/runs.js";
import type { HookContext } from "../handle-event.js";
import { hasLateActions, recordLateActions } from "../late-actions.js";
import { type AgentSession, readSession, sessionFile } from "../session-file.js";
import { saveSession } from "./save-session.js";

const keptSaid = 20;

/** Records what waits, and what the agent said. Where nothing was done yet, that waits for the task, too. */
export async function endTurn(context: HookContext, known: AgentSession, said: string): Promise<void> {
  const { memory, storeDirectory } = context;
  try {
    const { taskId, iteration } = await begun(context, known);
    if (taskId === undefined) return await keepSaid(storeDirectory, known, said);
    await recordLateActions(memory, storeDirectory, { ...known, taskId });
    await runsOf(memory).endTurn(taskId, { iteration, said });
  } catch (error) {
    if (error instanceof RalphError) await keepSaid(storeDirectory, known, said);
    // Nothing was done since somebody ended the attempt, or the session was resumed.
    if (!(error instanceof RalphError) || error.code !== "wrong-use") throw error;
  }
}

/** The session with its task, if something was done that could not be recorded. */
async function begun(context: HookContext, known: AgentSession): Promise<AgentSession> {
  if (known.unbegun === undefined || !hasLateActions(context.storeDirectory, known)) return known;
  return (await import("./begin-task.js")).beginTask(context, known);
}

async function keepSaid(storeDirectory: string, known: AgentSession, said: string): Promise<void> {
  // A session of which nobody asked anything that may be recorded.
  if (said === "" || known.iteration === 0) return;
  const { clipMessage } = await import("../../text/secrets/clip-output.js");
  // It may have got its task meanwhile.
  const session = readSession(sessionFile(storeDirectory, known.agent, known.session)) ?? known;
  const { iteration } = session;
  const kept = { at: new Date().toISOString(), text: clipMessage(said, isLearnedLine), iteration };
  saveSession(storeDirectory, { ...session, said: [...(session.said ?? []), kept].slice(-keptSaid) });
}
