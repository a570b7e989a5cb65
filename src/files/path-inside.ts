import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { fileProblem } from "./file-problem.js";

/** Whether a path is the folder itself or below it; compares names only and follows no links. */
export function isInside(folder: string, path: string, system = { isAbsolute, relative, sep }): boolean {
  const inner = system.relative(folder, path);
  // On Windows, the relative path to another drive is absolute.
  return (
    inner === "" || (inner !== ".." && !inner.startsWith(`..${system.sep}`) && !system.isAbsolute(inner))
  );
}

/** Git's own files do not come with a clone: its configuration and hooks name programs. */
export function isOfGit(path: string): boolean {
  return path.toLowerCase().split(sep).includes(".git");
}

/** Throws if a path to be written belongs to git, also through links. */
export function refuseGit(path: string): void {
  if (isOfGit(path) || isOfGit(realPathOf(path)))
    throw new RalphError("file-unusable", `${path} belongs to git`, { hint: "choose another folder" });
}

/** Throws if a path points outside a folder, also through links; the path need not exist yet. */
export function checkInside(folder: string, path: string): void {
  const target = realPathOf(path);
  if (isInside(realPathOf(folder), target)) return;
  throw new RalphError("file-unusable", `${path} points outside ${folder}, to ${target}`, {
    hint: "remove the link, or copy its target",
  });
}

/** Resolves links; for a path that does not exist yet, those of its parents. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT", "ENOTDIR")) throw fileProblem(path, error);
    if (isLink(path) || path === dirname(path)) {
      throw new RalphError("file-unusable", `Broken symbolic link: ${path}`, { hint: "remove it" });
    }
    return join(realPathOf(dirname(path)), path.slice(dirname(path).length));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return false;
    throw fileProblem(path, error);
  }
}

/** Resolves all links of a path, also one whose target does not exist yet. */
export function resolveLinks(path: string, steps = 40): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT") || steps === 0) throw error;
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    return resolveLinks(resolve(dirname(path), readlinkSync(path)), steps - 1);
  return join(resolveLinks(dirname(path), steps - 1), basename(path));
}
