import { closeSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { isSystemError } from "../domain/ralph-error.js";
import { whileLocked } from "./while-locked.js";

/**
 * Replaces a small file that nobody but Ralph writes, in one step. It survives the end of the process at any moment, but not a loss
 * of power, for which `replaceFile` is.
 */
export function replaceOwnFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    try {
      writeNew(temporary, text);
    } catch (error) {
      if (!isSystemError(error, "EEXIST")) throw error;
      // Of a process that was killed, which had the same number.
      unlinkSync(temporary);
      writeNew(temporary, text);
    }
    whileLocked(() => renameSync(temporary, path));
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** With the functions that a hook's answer is written with: each further one of Node is compiled anew by every process. */
function writeNew(path: string, text: string): void {
  const bytes = Buffer.from(text);
  const file = openSync(path, "wx", 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } finally {
    closeSync(file);
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
