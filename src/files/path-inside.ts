import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { fileProblem } from "./file-problem.js";

/** Whether a path is a folder or stands somewhere below it, by its letters alone. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
}

/** Throws when a path leads out of a folder, through links, too; the path need not exist yet. */
export function checkInside(folder: string, path: string): void {
  const target = realPathOf(path);
  if (isInside(realPathOf(folder), target)) return;
  throw new RalphError("file-unusable", `${path} leads out of ${folder}, to ${target}`, {
    hint: "remove the link, or copy what it leads to",
  });
}

/** Where a path leads; for what does not exist yet, where it would be. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT", "ENOTDIR")) throw fileProblem(path, error);
    if (isLink(path) || path === dirname(path)) {
      throw new RalphError("file-unusable", `A link leads nowhere: ${path}`, { hint: "remove it" });
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
