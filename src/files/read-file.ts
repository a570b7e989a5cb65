import { closeSync, fstatSync } from "node:fs";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { absentStamp, type FileStamp, stampOf } from "./file-stamp.js";
import { maxFileBytes, openRegularFile, type ReadOptions, readUpTo } from "./read-regular-file.js";

/** The bytes of a file with their stamp; no bytes if the file does not exist. */
export interface FileSnapshot {
  bytes: Buffer | undefined;
  stamp: FileStamp;
  /** How many bytes the file has, if only its beginning was read. */
  fileBytes?: number;
}

const maxTries = 1000;

export interface SnapshotOptions extends ReadOptions {
  /** Only the beginning of a larger file is read. */
  isCut?: boolean;
}

/** Reads a file so that bytes and stamp match, even while another program writes to it. */
export function readFileSnapshot(path: string, options: SnapshotOptions = {}): FileSnapshot {
  return withFileErrors(path, () => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const snapshot = readOnce(path, options);
      if (snapshot !== undefined) return snapshot;
    }
    throw new RalphError("file-unusable", `Another program keeps writing to ${path}`, {
      hint: "stop it, then try again",
    });
  });
}

function readOnce(
  path: string,
  { maxBytes = maxFileBytes, isCut = false, ...options }: SnapshotOptions,
): FileSnapshot | undefined {
  let file: number;
  try {
    file = openRegularFile(path, { ...options, maxBytes: isCut ? Number.POSITIVE_INFINITY : maxBytes });
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { bytes: undefined, stamp: absentStamp };
    throw error;
  }
  try {
    const before = fstatSync(file, { bigint: true });
    const bytes = readUpTo(file, maxBytes);
    const stamp = stampOf(fstatSync(file, { bigint: true }));
    if (stampOf(before) !== stamp) return undefined;
    const fileBytes = Number(before.size);
    return { bytes, stamp, ...(fileBytes > maxBytes && { fileBytes }) };
  } finally {
    closeSync(file);
  }
}

/** UTF-8 text appended to a UTF-16 file would be unreadable. */
export function refuseUtf16(bytes: Buffer, path: string): void {
  const mark = bytes.toString("latin1", 0, 2);
  if (mark !== "\u00ff\u00fe" && mark !== "\u00fe\u00ff") return;
  throw new RalphError("file-unusable", `${path} is UTF-16 text`, { hint: "save it as UTF-8" });
}
