import { fileURLToPath } from "node:url";
import { RalphError } from "../domain/ralph-error.js";
import { findMarkedProject } from "../files/find-project.js";
import type { Memory } from "../memory/memory.js";
import type { Roots } from "./client-roots.js";

export interface ProjectPlaces {
  /** What `--root` or `RALPH_ROOT` says: counts whatever is there. */
  fixedRoot: string | undefined;
  /** The folder that the server was started in. */
  workingFolder: string;
  /** The user's own `.ralph`, which does not make its folder a project. */
  userHome: string;
}

/** The folder of the project that a client means; anything but a folder that says it is a project is refused, not guessed. */
export function findClientProject(places: ProjectPlaces, { uris, isUntold }: Roots): string {
  const { fixedRoot, workingFolder, userHome } = places;
  if (fixedRoot !== undefined) return fixedRoot;
  const folders = uris.length > 0 ? uris.flatMap(folderOf) : [workingFolder];
  const projects = folders.flatMap((folder) => findMarkedProject(folder, { userHome })?.root ?? []);
  const chosen = projects.find((root) => isWithin(workingFolder, root)) ?? projects[0];
  if (chosen !== undefined) return chosen;
  const whenUntold = isUntold ? ", and the client did not say which roots it has" : "";
  const named = uris.length > 0 ? `the client's roots (${uris.join(", ")})` : `${workingFolder}${whenUntold}`;
  throw new RalphError("wrong-use", `No project found in ${named}`, {
    hint: 'run "ralph init" or "git init" in the project\'s folder and start there, or start the server with "ralph mcp --root DIR"',
  });
}

/**
 * How long a client may take to say its roots, which takes milliseconds. Where the server's own folder is a project, that one
 * serves instead, and the answers say so; elsewhere nothing does, so a slow client is worth a longer wait.
 */
export function patienceForRootsMs({ workingFolder, userHome }: ProjectPlaces): number {
  return findMarkedProject(workingFolder, { userHome }) === undefined ? 10_000 : 2_000;
}

function folderOf(uri: string): string[] {
  try {
    const path = fileURLToPath(uri);
    return path.includes("\0") ? [] : [path];
  } catch {
    // A root may be on another machine, or something other than a folder.
    return [];
  }
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root.endsWith("/") ? root : `${root}/`);
}

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
