import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { userHome } from "../config/paths.js";
import type { Environment } from "../domain/environment.js";
import { findMarkedProject } from "../files/find-project.js";
import { projectTrust } from "../memory/project/project-trust.js";
import { sessionFile } from "./session-files.js";

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
export function standIn({ folder, agent, session, others, environment }: LostFolder): string | undefined {
  const ralphHome = userHome(environment);
  const projectOf = (path: string | undefined) =>
    path === undefined ? undefined : findMarkedProject(resolve(path), { userHome: ralphHome });
  const above = projectOf(folder);
  for (const project of [above, ...others.map(projectOf)]) {
    if (project === undefined) continue;
    const trust = projectTrust({
      folders: project,
      ralphHome,
      environment,
      isTrusted: false,
      notify: () => undefined,
    });
    if (existsSync(sessionFile(trust.findStoreFolder().path, agent, session))) return project.root;
  }
  return above?.root;
}

/** The current folder; undefined if somebody has removed it. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
