import type { Memory } from "./memory.js";
import { isPlainHome } from "./project/place.js";
import { projectOf } from "./project-of.js";

/** Whether a memory belongs here without being asked for: in a repository of git, or where `ralph init` has made one. Hooks do nothing elsewhere. */
export async function isProject(memory: Memory): Promise<boolean> {
  const project = projectOf(memory);
  return project.kind !== "folder" || ((await project.hasStore()) && !isPlainHome(project));
}
