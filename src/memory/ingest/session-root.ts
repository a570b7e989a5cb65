import { isAbsolute } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { findProject, type Project } from "../../files/find-project.js";
import { realPathOf } from "../../files/path-inside.js";

/** The worktree that a session worked in; undefined if its folder belongs to another project. */
export function makeSessionRoot(project: Project, userHome: string): (cwd: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const home = realOf(project.home);
  const find = (cwd: string): string | undefined => {
    if (!isAbsolute(cwd) || cwd.includes("\0")) return undefined;
    const other = findProject(cwd, { userHome });
    return realOf(other.home) === home ? other.root : undefined;
  };
  return (cwd) => {
    if (!known.has(cwd))
      known.set(
        cwd,
        safely(() => find(cwd)),
      );
    return known.get(cwd);
  };
}

/** A folder that cannot be looked at is not this project's. */
function safely<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RalphError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function realOf(path: string): string {
  return safely(() => realPathOf(path)) ?? path;
}
