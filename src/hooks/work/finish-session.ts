import { RalphError } from "../../domain/ralph-error.js";
import { judgeWork } from "../../episodic/attempts/judge-work.js";
import type { Memory } from "../../memory/memory.js";
import { sessionOf } from "../../memory/session-of.js";
import { recordRecall } from "../../memory/tasks/brief/record-recall.js";
import { recordLateActions } from "../late-actions.js";
import { type AgentSession, removeSession, sessionFile } from "../session-file.js";
import { saveSession } from "./save-session.js";

/** Ends the attempt of a session by what its record shows, with what else was asked, credits what it was told, and learns from it. */
export async function finishTask(memory: Memory, known: AgentSession): Promise<void> {
  const { storeDirectory } = await sessionOf(memory).place();
  const session = await begun(memory, storeDirectory, known);
  const { taskId, asked = [] } = session;
  if (taskId === undefined) return;
  try {
    if (asked.length > 0)
      await memory.tasks.log(
        taskId,
        asked.map(({ at, text }) => ({ timestamp: at, event: "prompt", details: text })),
      );
    await recordLateActions(memory, storeDirectory, { ...session, taskId });
    const { steps } = await memory.tasks.replay(taskId);
    await recordTold(memory, taskId, session);
    await memory.tasks.complete(taskId, judgeWork(steps));
  } catch (error) {
    // Somebody else has ended or removed it.
    if (!(error instanceof RalphError) || !["wrong-use", "not-found"].includes(error.code)) throw error;
  }
}

/** The session with its task, if that could not be recorded before. */
async function begun(memory: Memory, storeDirectory: string, known: AgentSession): Promise<AgentSession> {
  if (known.unbegun === undefined) return known;
  const { beginLate } = await import("./session-task.js");
  return beginLate({ memory, agent: known.agent, storeDirectory }, known);
}

async function recordTold(
  memory: Memory,
  taskId: string,
  { owed = [], isHoldout = false }: AgentSession,
): Promise<void> {
  const { clock, settings, write } = sessionOf(memory);
  const isMeasured = (await settings())["recall.holdout"] > 0;
  await write(({ store }) =>
    store.transaction((tx) =>
      recordRecall(tx, { taskId, isHoldout, isMeasured, records: [...owed] }, clock().toISOString()),
    ),
  );
}

/** Finishes a session. That it is over is said first: its agent may not wait for the rest, which the next session then does. */
export async function endSession(
  memory: Memory,
  storeDirectory: string,
  session: AgentSession,
): Promise<void> {
  saveSession(storeDirectory, { ...session, isOver: true });
  await finishTask(memory, session);
  removeSession(sessionFile(storeDirectory, session.agent, session.session));
}
