import { closeSync, fstatSync, readFileSync } from "node:fs";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { absentStamp, type FileStamp, stampOf } from "./file-stamp.js";
import { openRegularFile } from "./read-regular-file.js";

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
    file = openRegularFile(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { bytes: undefined, stamp: absentStamp };
    throw error;
  }
  try {
    const before = stampOf(fstatSync(file, { bigint: true }));
    const bytes = readFileSync(file);
    const after = stampOf(fstatSync(file, { bigint: true }));
    return before === after ? { bytes, stamp: after } : undefined;
  } finally {
    closeSync(file);
  }
}
