import { RalphError } from "../domain/ralph-error.js";
import type { Memory } from "../memory/memory.js";
import { sessionOf } from "../memory/session-of.js";
import { listSessionFiles } from "./list-session-files.js";

/**
 * Does what sessions of agents have left unfinished, such as one whose agent was killed, so that whoever looks next sees it
 * done. Almost always there is nothing to do, which is seen without loading anything.
 */
export async function finishLeftSessions(memory: Memory): Promise<void> {
  try {
    const { storeDirectory } = await sessionOf(memory).place();
    if (listSessionFiles(storeDirectory).length === 0) return;
    const { mayBeOver } = await import("./may-be-over.js");
    if (!mayBeOver(storeDirectory)) return;
    const { finishOverSessions } = await import("./work/over-sessions.js");
    await finishOverSessions(memory, storeDirectory);
  } catch (error) {
    // What is wrong with the memory is told by the command itself.
    if (!(error instanceof RalphError)) throw error;
  }
}
