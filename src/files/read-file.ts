import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { absentStamp, type FileStamp, stampOf } from "./file-stamp.js";

/** The bytes of a file with their stamp; no bytes if the file does not exist. */
export interface FileSnapshot {
  bytes: Buffer | undefined;
  stamp: FileStamp;
}

/** Reads a file so that bytes and stamp match, even while somebody writes to it. */
export function readFileSnapshot(path: string): FileSnapshot {
  return withFileErrors(path, () => {
    for (;;) {
      const snapshot = readOnce(path);
      if (snapshot !== undefined) return snapshot;
    }
  });
}

function readOnce(path: string): FileSnapshot | undefined {
  let file: number;
  try {
    // Without O_NONBLOCK, opening a named pipe would block until there is a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { bytes: undefined, stamp: absentStamp };
    throw error;
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile() && !stats.isDirectory()) {
      throw new RalphError("file-unusable", `Not a regular file: ${path}`, { hint: "move it away" });
    }
    const before = stampOf(stats);
    const bytes = readFileSync(file);
    const after = stampOf(fstatSync(file, { bigint: true }));
    return before === after ? { bytes, stamp: after } : undefined;
  } finally {
    closeSync(file);
  }
}
