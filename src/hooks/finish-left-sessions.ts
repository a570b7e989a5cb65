import { RalphError } from "../domain/ralph-error.js";
import type { Memory } from "../memory/memory.js";
import { projectOf } from "../memory/project-of.js";
import { listSessionFiles } from "./list-session-files.js";

/**
 * Does what sessions of agents have left unfinished, such as one whose agent was killed or what could not be recorded in time, so
 * that whoever looks next sees it done. Almost always there is nothing to do, which is seen without loading anything.
 */
export async function finishLeftSessions(memory: Memory): Promise<void> {
  try {
    const { storeDirectory } = await projectOf(memory).place();
    if (listSessionFiles(storeDirectory).length === 0) return;
    const { mayBeLeft } = await import("./may-be-over.js");
    if (!mayBeLeft(storeDirectory)) return;
    const { recordWaiting, finishOverSessions } = await import("./work/over-sessions.js");
    await finishOverSessions(memory, storeDirectory);
    await recordWaiting(memory, storeDirectory);
  } catch (error) {
    // What is wrong with the memory is told by the command itself.
    if (!(error instanceof RalphError)) throw error;
  }
}
