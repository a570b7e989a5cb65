import { type BigIntStats, closeSync, fstatSync, lstatSync, read } from "node:fs";
import { dirname } from "node:path";
import { stampFile, stampOf } from "../file-stamp.js";
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
    if (!isLink(dirname(path)) && !isLink(path)) reading = begin(path)?.catch(() => undefined);
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
  if (before.size >= leastBytes) return readWhole(file, before).finally(() => closeSync(file));
  closeSync(file);
  return undefined;
}

async function readWhole(file: number, before: BigIntStats): Promise<FileSnapshot | undefined> {
  const bytes = Buffer.allocUnsafeSlow(Number(before.size));
  const count = await new Promise<number>((done) => {
    read(file, bytes, 0, bytes.length, 0, (error, read) => done(error === null ? read : -1));
  });
  const stamp = stampOf(fstatSync(file, { bigint: true }));
  return count === bytes.length && stamp === stampOf(before) ? { bytes, stamp } : undefined;
}
