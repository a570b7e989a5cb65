import { type BigIntStats, closeSync, fstatSync, lstatSync, read } from "node:fs";
import { dirname } from "node:path";
import { stampFile, stampOf } from "../file-stamp.js";
import type { FileSnapshot } from "../read-file.js";
import { maxFileBytes, openRegularFile } from "../read-regular-file.js";

/** A file that is being read by another thread. */
export interface ReadAhead {
  /** Undefined if it could not be read, or is no longer what was read. */
  take(): Promise<FileSnapshot | undefined>;
}

/** What is smaller is read sooner than another thread begins. */
const leastBytes = 64 * 1024;

/**
 * Reads a large file while `work` gets to where it is needed; none that a link leads to, which may have to be allowed first.
 * The bytes are only valid until `work` ends.
 */
export async function readingAhead<Result>(
  path: string,
  work: (ahead: ReadAhead) => Promise<Result>,
): Promise<Result> {
  let reading: Promise<FileSnapshot | undefined> | undefined;
  try {
    if (!isLink(dirname(path)) && !isLink(path)) reading = begin(path)?.catch(() => undefined);
  } catch {
    // Whoever reads it says what is wrong with it.
  }
  try {
    return await work({
      async take() {
        const snapshot = await reading;
        return snapshot !== undefined && snapshot.stamp === stampFile(path) ? snapshot : undefined;
      },
    });
  } finally {
    giveBack((await reading)?.bytes);
  }
}

/** Memory of the last file that was read: to get new memory for each takes longer than to read it. */
let spare: WeakRef<ArrayBufferLike> | undefined;

function takeMemory(size: number): Buffer {
  const memory = spare?.deref();
  spare = undefined;
  if (memory !== undefined && memory.byteLength >= size) return Buffer.from(memory, 0, size);
  // The next one is likely to be a little larger.
  return Buffer.allocUnsafeSlow(size + leastBytes).subarray(0, size);
}

function giveBack(bytes: Buffer | undefined): void {
  if (bytes !== undefined) spare = new WeakRef(bytes.buffer);
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

function begin(path: string): Promise<FileSnapshot | undefined> | undefined {
  const file = openRegularFile(path, { maxBytes: maxFileBytes });
  const before = fstatSync(file, { bigint: true });
  if (before.size >= leastBytes) return readWhole(file, before).finally(() => closeSync(file));
  closeSync(file);
  return undefined;
}

async function readWhole(file: number, before: BigIntStats): Promise<FileSnapshot | undefined> {
  const bytes = takeMemory(Number(before.size));
  const count = await new Promise<number>((done) => {
    read(file, bytes, 0, bytes.length, 0, (error, read) => done(error === null ? read : -1));
  });
  const stamp = stampOf(fstatSync(file, { bigint: true }));
  return count === bytes.length && stamp === stampOf(before) ? { bytes, stamp } : undefined;
}
