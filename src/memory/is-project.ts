import type { Memory } from "./memory.js";
import { isPlainHome } from "./places/plain-home.js";
import { sessionOf } from "./session-of.js";

/** Whether a memory belongs here without being asked for: in a repository of git, or where `ralph init` has made one. Hooks do nothing elsewhere. */
export async function isProject(memory: Memory): Promise<boolean> {
  const { project } = memory;
  if (project.kind !== "folder") return true;
  const { shelves, place } = sessionOf(memory);
  return shelves.hasStore((await place()).storeDirectory) && !isPlainHome(project);
}
