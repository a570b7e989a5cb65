import { RalphError } from "../../domain/ralph-error.js";
import { judgeWork } from "../../episodic/attempts/end-iteration.js";
import type { Memory } from "../../memory/memory.js";
import { projectOf } from "../../memory/project-of.js";
import { recordRecall } from "../../memory/recall/recall.js";
import { runsOf } from "../../memory/runs/runs.js";
import { hasLateActions, recordLateActions } from "../late-actions.js";
import { type AgentSession, removeFinished, sessionFile } from "../session-file.js";
import { saveSession } from "./save-session.js";
import { findTask } from "./session-task.js";

/**
 * Ends the attempt of a session by what its record shows, with what else was asked and said, credits what it was told, and learns
 * from it. A session in which nothing was done is no task.
 */
export async function finishTask(memory: Memory, known: AgentSession): Promise<void> {
  const { storeDirectory } = await projectOf(memory).place();
  const session = await begun(memory, storeDirectory, known);
  const { taskId, asked = [], said = [] } = session;
  if (taskId === undefined) return;
  try {
    await recordLateActions(memory, storeDirectory, { ...session, taskId });
    // Nothing was done since it was resumed, or somebody else has ended it.
    if ((await findTask(memory, session))?.status !== "running") return;
    if (asked.length > 0)
      await memory.tasks.log(
        taskId,
        asked.map(({ at, text }) => ({ timestamp: at, event: "prompt", details: text })),
      );
    for (const { at, text, iteration } of said)
      await runsOf(memory).endTurn(taskId, { iteration, said: text, at });
    const { steps, iterations } = await memory.tasks.replay(taskId);
    await recordTold(memory, taskId, session);
    const work = { actions: steps, said: iterations.flatMap((turn) => turn.said ?? []) };
    await memory.tasks.complete(taskId, judgeWork(work));
  } catch (error) {
    // Somebody else has ended or removed it.
    if (!(error instanceof RalphError) || !["wrong-use", "not-found"].includes(error.code)) throw error;
  }
}

/** The session with its task, if something was done that could not be recorded before. */
async function begun(memory: Memory, storeDirectory: string, known: AgentSession): Promise<AgentSession> {
  if (known.unbegun === undefined || !hasLateActions(storeDirectory, known)) return known;
  const { beginTask } = await import("./begin-task.js");
  return beginTask({ memory, storeDirectory }, known);
}

async function recordTold(
  memory: Memory,
  taskId: string,
  { owed = [], isHoldout = false }: AgentSession,
): Promise<void> {
  const { clock, settings, write } = projectOf(memory);
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
  removeFinished(sessionFile(storeDirectory, session.agent, session.session));
}
