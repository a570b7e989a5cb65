import { closeSync, fstatSync, lstatSync, read } from "node:fs";
import { dirname } from "node:path";
import { absentStamp, stampFile, stampOf } from "../file-stamp.js";
import type { FileSnapshot } from "../read-file.js";
import { openRegularFile } from "../read-regular-file.js";

/** A file that is being read by another thread. */
export interface ReadAhead {
  /** Undefined if it could not be read, or is no longer what was read. */
  take(): Promise<FileSnapshot | undefined>;
}

/** What is smaller is read sooner than another thread begins. */
const leastBytes = 64 * 1024;

/** Begins to read a large file that is going to be needed; none that a link leads to, which may have to be allowed first. */
export function readAhead(path: string): ReadAhead {
  let reading: Promise<FileSnapshot | undefined> | undefined;
  try {
    if (!isLink(dirname(path)) && !isLink(path)) reading = begin(path);
  } catch {
    // Whoever reads it says what is wrong with it.
  }
  return {
    async take() {
      const snapshot = await reading;
      return snapshot !== undefined && snapshot.stamp === stampFile(path) ? snapshot : undefined;
    },
  };
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

function begin(path: string): Promise<FileSnapshot | undefined> | undefined {
  const file = openRegularFile(path);
  const before = fstatSync(file, { bigint: true });
  const size = Number(before.size);
  if (size < leastBytes) {
    closeSync(file);
    return undefined;
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  return new Promise((done) => {
    read(file, bytes, 0, size, 0, (error, count) => {
      const stamp = error === null ? stampOf(fstatSync(file, { bigint: true })) : absentStamp;
      closeSync(file);
      done(count === size && stamp === stampOf(before) ? { bytes, stamp } : undefined);
    });
  });
}
