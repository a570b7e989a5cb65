import { lstatSync } from "node:fs";
import { relative } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { isInside, isOfGit, resolveLinks } from "../files/path-inside.js";

export interface LinkOut {
  /** Relative to the project. */
  name: string;
  target: string;
}

/** The symbolic links among the paths that lead out of all folders, or into a `.git` folder. */
export function findLinksOut(paths: readonly string[], folders: readonly [string, ...string[]]): LinkOut[] {
  const links = paths.filter(isLink);
  if (links.length === 0) return [];
  const real = folders.map((folder) => resolveLinks(folder));
  return links.flatMap((path) => {
    const target = withFileErrors(path, () => resolveLinks(path));
    return real.some((folder) => isInside(folder, target) && !isOfGit(relative(folder, target)))
      ? []
      : [{ name: relative(folders[0], path), target }];
  });
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // Opening it reports the error.
    if (isSystemError(error, "EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG")) return false;
    throw error;
  }
}
