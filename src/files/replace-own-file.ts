import { renameSync, unlinkSync, writeFileSync } from "node:fs";
import { isSystemError } from "../domain/ralph-error.js";
import { whileLocked } from "./while-locked.js";

/**
 * Replaces a small file that nobody but Ralph writes, in one step. It survives the end of the process at any moment, but not a loss
 * of power, for which `replaceFile` is.
 */
export function replaceOwnFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const write = () => writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
  try {
    try {
      write();
    } catch (error) {
      if (!isSystemError(error, "EEXIST")) throw error;
      // Of a process that was killed, which had the same number.
      unlinkSync(temporary);
      write();
    }
    whileLocked(() => renameSync(temporary, path));
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** Quicker than `rmSync`, which loads more code. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}
