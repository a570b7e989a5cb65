import { lstatSync, type Stats, statSync } from "node:fs";
import { withFileErrors } from "./file-problem.js";

/** Whether the path is a folder, or a link to one. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The stats of a file, or of a link's target; undefined if it does not exist. */
export function findStats(path: string): Stats | undefined {
  return withFileErrors(path, () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    // Since Node 22 only this call fails on a file where a folder should be.
    if (stats === undefined) lstatSync(path, { throwIfNoEntry: false });
    return stats;
  });
}
