import { fileURLToPath } from "node:url";
import { RalphError } from "../../domain/ralph-error.js";
import { findMarkedProject } from "../../files/find-project.js";

export interface ProjectPlaces {
  /** What `--root` or `RALPH_ROOT` says: counts whatever is there. */
  fixedRoot: string | undefined;
  /** The folder that the server was started in. */
  workingFolder: string;
  /** The user's own `.ralph`, which does not make its folder a project. */
  userHome: string;
}

/** The folder of the project that a client means; anything but a folder that says it is a project is refused, not guessed. */
export function findClientProject(places: ProjectPlaces, rootUris: readonly string[]): string {
  const { fixedRoot, workingFolder, userHome } = places;
  if (fixedRoot !== undefined) return fixedRoot;
  const folders = rootUris.length > 0 ? rootUris.flatMap(folderOf) : [workingFolder];
  const projects = folders.flatMap((folder) => findMarkedProject(folder, { userHome })?.root ?? []);
  const chosen = projects.find((root) => isWithin(workingFolder, root)) ?? projects[0];
  if (chosen !== undefined) return chosen;
  const named = rootUris.length > 0 ? `the client's roots (${rootUris.join(", ")})` : workingFolder;
  throw new RalphError("wrong-use", `No project found in ${named}`, {
    hint: 'run "ralph init" or "git init" in the project\'s folder and start there, or start the server with "ralph mcp --root DIR"',
  });
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
