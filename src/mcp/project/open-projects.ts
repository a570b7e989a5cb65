import type { Memory } from "../../memory/memory.js";

/** Opens the memory of a project's folder. */
export type OpenProject = (root: string) => Promise<Memory>;

/** Opens each project once: a server lives as long as its client. */
export function openProjectsOnce(open: OpenProject): OpenProject {
  const opened = new Map<string, Promise<Memory>>();
  return (root) => {
    const known = opened.get(root);
    if (known !== undefined) return known;
    const opening = open(root);
    opened.set(root, opening);
    // The next call tries again.
    opening.catch(() => opened.delete(root));
    return opening;
  };
}
