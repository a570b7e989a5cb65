import { lazyModule } from "../../domain/lazy-module.js";
import type { Memory } from "../../memory/memory.js";
import { stateOf } from "../../processes/runner.js";
import { recordLateActions } from "../late-actions.js";
import { listLateFiles, listSessionFiles, listWaitingSessions } from "../list-session-files.js";
import { readSession, removeFinished, removeSession } from "../session-file.js";

/** At one start: whoever waits for an answer should not wait for many. */
const maxFinished = 3;

const finishing = lazyModule(() => import("./finish-session.js"));

const beginning = lazyModule(() => import("./begin-task.js"));

/** Finishes what sessions that are over have left: their agent may have been killed before it was done. */
export async function finishOverSessions(memory: Memory, storeDirectory: string): Promise<void> {
  let finished = 0;
  for (const path of listSessionFiles(storeDirectory)) {
    const session = readSession(path);
    if (session !== undefined && !session.isOver && stateOf(session.runner) !== "gone") continue;
    if (session === undefined) removeSession(path);
    else {
      await finishing.finishTask(memory, session);
      removeFinished(path);
    }
    finished += 1;
    if (finished === maxFinished) return;
  }
}

/** Records what sessions that go on could not record when it happened. */
export async function recordWaiting(memory: Memory, storeDirectory: string): Promise<void> {
  for (const path of listWaitingSessions(storeDirectory)) {
    const session = readSession(path);
    // Its own hook may have recorded them meanwhile.
    if (session === undefined || listLateFiles(path).length === 0) continue;
    const { taskId } = session;
    if (taskId !== undefined) await recordLateActions(memory, storeDirectory, { ...session, taskId });
    else if (session.unbegun !== undefined) await beginning.beginTask({ memory, storeDirectory }, session);
  }
}
