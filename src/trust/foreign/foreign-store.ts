import { statSync } from "node:fs";
import { isTrackedByGit } from "./tracked-by-git.js";

/** Whether the records in a folder come from somebody else: git tracks them, or another user owns them. */
export function isForeignStore(directory: string): boolean {
  return isOwnedByAnother(directory) || isTrackedByGit(directory);
}

function isOwnedByAnother(path: string): boolean {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && process.getuid !== undefined && owner !== process.getuid();
}
