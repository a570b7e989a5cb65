import { lstatSync, type Stats, statSync } from "node:fs";
import { withFileErrors } from "./file-problem.js";

/** What is known of a file, or of where a link leads; undefined if there is none. */
export function findStats(path: string): Stats | undefined {
  return withFileErrors(path, () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    // Since Node 22 only this one tells of a file where a folder should be.
    if (stats === undefined) lstatSync(path, { throwIfNoEntry: false });
    return stats;
  });
}
