import type { Memory } from "./memory.js";
import type { ProjectSession } from "./project-session.js";

const sessions = new WeakMap<object, ProjectSession>();

/** Lets this package's own rooms reach what a memory does not show. */
export function keepSession(memory: Memory, session: ProjectSession): void {
  sessions.set(memory, session);
}

/** The session behind an open memory. */
export function sessionOf(memory: Memory): ProjectSession {
  const session = sessions.get(memory);
  if (session === undefined) throw new TypeError("This is not a memory that openMemory returned");
  return session;
}
