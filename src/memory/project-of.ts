import type { Memory } from "./memory.js";
import type { OpenProject } from "./project/open-project.js";

const projects = new WeakMap<object, OpenProject>();

/** Gives the rest of this package access to what `Memory` hides. */
export function keepProject(memory: Memory, project: OpenProject): void {
  projects.set(memory, project);
}

/** The project behind an open memory. */
export function projectOf(memory: Memory): OpenProject {
  const project = projects.get(memory);
  if (project === undefined) throw new TypeError("Not a memory returned by openMemory");
  return project;
}
