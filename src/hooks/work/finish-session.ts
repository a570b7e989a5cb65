import { RalphError } from "../../domain/ralph-error.js";
import { judgeWork } from "../../episodic/attempts/judge-work.js";
import type { Memory } from "../../memory/memory.js";
import { stateOf } from "../../processes/runner.js";
import { listSessionFiles } from "../list-session-files.js";
import { type AgentSession, readSession, removeSession, sessionFile } from "../session-file.js";
import { saveSession } from "./save-session.js";

/** One session at a start: whoever waits for an answer should not wait for many. */
const maxFinished = 3;

/** Ends the attempt of a session by what its record shows, and learns from it. */
export async function finishTask(memory: Memory, { taskId }: Pick<AgentSession, "taskId">): Promise<void> {
  if (taskId === undefined) return;
  try {
    const { steps } = await memory.tasks.replay(taskId);
    await memory.tasks.complete(taskId, judgeWork(steps));
  } catch (error) {
    // Somebody else has ended or removed it.
    if (!(error instanceof RalphError) || !["wrong-use", "not-found"].includes(error.code)) throw error;
  }
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

/** Finishes what sessions that are over have left: their agent may have been killed before it was done. */
export async function finishOverSessions(memory: Memory, storeDirectory: string): Promise<void> {
  let finished = 0;
  for (const path of listSessionFiles(storeDirectory)) {
    const session = readSession(path);
    if (session !== undefined && !session.isOver && stateOf(session.runner) !== "gone") continue;
    if (session !== undefined) await finishTask(memory, session);
    removeSession(path);
    finished += 1;
    if (finished === maxFinished) return;
  }
}
