import { RalphError } from "../domain/ralph-error.js";
import { isLearnedLine } from "../domain/tasks/agent-text.js";
import { judgeWork } from "../episodic/attempts/end-iteration.js";
import { recordRecall } from "../memory/recall/recall.js";
import { stateOf } from "../processes/runner.js";
import { clipMessage } from "../text/secrets/clip-output.js";
import type { HookContext } from "./handle-event.js";
import { recordLateActions } from "./record-action.js";
import {
  type AgentSession,
  listLateFiles,
  listSessionFiles,
  listWaitingSessions,
  readSession,
  removeFinished,
  removeSession,
  saveSession,
  sessionFile,
} from "./session-files.js";
import { findTask, recordTask, withLateTask } from "./session-task.js";

const keptSaid = 20;
/** At one start: an agent waits for the answer. */
const maxFinished = 3;

/** Records the actions that wait, and what the agent said. Where nothing was done yet, that waits for the task, too. */
export async function endTurn(context: HookContext, known: AgentSession, said: string): Promise<void> {
  try {
    const { taskId, iteration } = await withLateTask(context, known);
    if (taskId === undefined) return keepSaid(context, known, said);
    await recordLateActions(context, { ...known, taskId });
    await context.runs.endTurn(taskId, { iteration, said });
  } catch (error) {
    if (error instanceof RalphError) keepSaid(context, known, said);
    // Nothing was done since somebody ended the attempt, or the session was resumed.
    if (!(error instanceof RalphError) || error.code !== "wrong-use") throw error;
  }
}

function keepSaid({ storeDirectory }: HookContext, known: AgentSession, said: string): void {
  // Nobody has asked for anything that may be recorded.
  if (said === "" || known.iteration === 0) return;
  // It may have got its task meanwhile.
  const session = readSession(sessionFile(storeDirectory, known.agent, known.session)) ?? known;
  const { iteration } = session;
  const kept = { at: new Date().toISOString(), text: clipMessage(said, isLearnedLine), iteration };
  saveSession(storeDirectory, { ...session, said: [...(session.said ?? []), kept].slice(-keptSaid) });
}

/** Finishes a session. That it is over is saved first: its agent may not wait for the rest, which the next session then does. */
export async function endSession(context: HookContext, session: AgentSession): Promise<void> {
  const { storeDirectory } = context;
  saveSession(storeDirectory, { ...session, isOver: true });
  await finishTask(context, session);
  removeFinished(sessionFile(storeDirectory, session.agent, session.session));
}

/**
 * Ends the attempt of a session by what its record shows, with what else was asked and said, credits the records that it was shown,
 * and learns from it. A session in which nothing was done is no task.
 */
export async function finishTask(context: HookContext, known: AgentSession): Promise<void> {
  const { project, tasks, runs } = context;
  const session = await withLateTask(context, known);
  const { taskId, asked = [], said = [] } = session;
  if (taskId === undefined) return;
  try {
    await recordLateActions(context, { ...session, taskId });
    // Nothing was done since it was resumed, or somebody else has ended it.
    if ((await findTask(project, session))?.status !== "running") return;
    if (asked.length > 0)
      await tasks.log(
        taskId,
        asked.map(({ at, text }) => ({ timestamp: at, event: "prompt", details: text })),
      );
    for (const { at, text, iteration } of said) await runs.endTurn(taskId, { iteration, said: text, at });
    const { steps, iterations } = await tasks.replay(taskId);
    await recordShown(context, taskId, session);
    const work = { actions: steps, said: iterations.flatMap((turn) => turn.said ?? []) };
    await tasks.complete(taskId, judgeWork(work));
  } catch (error) {
    // Somebody else has ended or removed it.
    if (!(error instanceof RalphError) || !["wrong-use", "not-found"].includes(error.code)) throw error;
  }
}

async function recordShown(
  { project }: HookContext,
  taskId: string,
  { owed = [], isHoldout = false }: AgentSession,
): Promise<void> {
  const isMeasured = (await project.settings())["recall.holdout"] > 0;
  await project.write(({ store, clock }) =>
    store.transaction((tx) =>
      recordRecall(tx, { taskId, isHoldout, isMeasured, records: [...owed] }, clock().toISOString()),
    ),
  );
}

/** Finishes sessions that are over: their agent may have been killed before it was done. */
export async function finishOverSessions(context: HookContext): Promise<void> {
  let finished = 0;
  for (const path of listSessionFiles(context.storeDirectory)) {
    const session = readSession(path);
    if (session !== undefined && !session.isOver && stateOf(session.runner) !== "gone") continue;
    if (session === undefined) removeSession(path);
    else {
      await finishTask(context, session);
      removeFinished(path);
    }
    finished += 1;
    if (finished === maxFinished) return;
  }
}

/** Records what sessions that continue could not record when it happened. */
export async function recordWaiting(context: HookContext): Promise<void> {
  for (const path of listWaitingSessions(context.storeDirectory)) {
    const session = readSession(path);
    // Its own hook may have recorded them meanwhile.
    if (session === undefined || listLateFiles(path).length === 0) continue;
    const { taskId } = session;
    if (taskId !== undefined) await recordLateActions(context, { ...session, taskId });
    else if (session.unbegun !== undefined) await recordTask(context, session);
  }
}
