import type { Memory } from "./memory.js";
import type { ProjectSession } from "./project-session.js";

const sessions = new WeakMap<object, ProjectSession>();

/** Gives the rest of this package access to what `Memory` hides. */
export function keepSession(memory: Memory, session: ProjectSession): void {
  sessions.set(memory, session);
}

/** The session behind an open memory. */
export function sessionOf(memory: Memory): ProjectSession {
  const session = sessions.get(memory);
  if (session === undefined) throw new TypeError("Not a memory returned by openMemory");
  return session;
}
