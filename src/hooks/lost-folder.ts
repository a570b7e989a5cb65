import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Environment } from "../domain/environment.js";
import { isHomeFolder, type Project } from "../files/find-project.js";
import { openMemory } from "../memory/open-memory.js";
import { projectPlace } from "../memory/places/place.js";
import { sessionFile } from "./session-file.js";

export interface LostFolder {
  /** What is not there any more. */
  folder: string | undefined;
  agent: string;
  session: string;
  /** Other folders that may be of the session's project. */
  others: readonly (string | undefined)[];
  environment: Environment;
}

/**
 * The folder that stands for one that is gone, such as a worktree that was removed: one whose project knows the session, else the
 * nearest one above it, if that is a project's. No other project gets what was not done in it.
 */
export async function standIn({
  folder,
  agent,
  session,
  others,
  environment,
}: LostFolder): Promise<string | undefined> {
  const projectOf = async (root: string): Promise<Project> => {
    const memory = await openMemory({ root, environment, isShortLived: true });
    await memory.close();
    return memory.project;
  };
  const above = folder === undefined ? undefined : nearestAbove(resolve(folder));
  for (const each of [above, ...others]) {
    if (each === undefined || !isFolder(each)) continue;
    const { storeDirectory } = projectPlace(await projectOf(each), "repository");
    if (existsSync(sessionFile(storeDirectory, agent, session))) return each;
  }
  return above !== undefined && holdsFolders(await projectOf(above)) ? above : undefined;
}

/** The home folder is no project for what is below it, unless it is a repository. */
function holdsFolders({ kind, root, isUnmarked = false }: Project): boolean {
  return kind !== "folder" || !(isUnmarked || isHomeFolder(root));
}

function nearestAbove(path: string): string {
  return isFolder(path) ? path : nearestAbove(dirname(path));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
