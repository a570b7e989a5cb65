import { listSessionFiles, listWaitingSessions } from "./list-session-files.js";
import { type AgentSession, readSession } from "./session-file.js";

/** Whether a session may have been left unfinished. It is only a quick look: whoever finishes sessions looks closer. */
export function mayBeOver(storeDirectory: string): boolean {
  return listSessionFiles(storeDirectory).some((path) => isLeft(readSession(path)));
}

/** The same, or has done something that is still to be recorded. */
export function mayBeLeft(storeDirectory: string): boolean {
  return listWaitingSessions(storeDirectory).length > 0 || mayBeOver(storeDirectory);
}

function isLeft(session: AgentSession | undefined): boolean {
  return session === undefined || session.isOver === true || !isThere(session.runner?.pid);
}

function isThere(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is there as well.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
