import { chmodSync, statSync } from "node:fs";
import { isSystemError } from "../../domain/ralph-error.js";
import { isTrackedByGit } from "./tracked-by-git.js";

/** Whether the records in a folder come from somebody else: git tracks them, or another user owns them. */
export function isForeignStore(directory: string): boolean {
  return isOwnedByAnother(directory) || isTrackedByGit(directory);
}

function isOwnedByAnother(path: string): boolean {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && process.getuid !== undefined && owner !== process.getuid();
}

/** Records that a clone or an archive brought along are often readable by everybody. */
export function makePrivate(path: string): void {
  if (process.platform === "win32") return;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(path, stats.mode & 0o700);
  } catch (error) {
    if (!isSystemError(error, "EPERM", "EACCES", "EROFS")) throw error;
  }
}
