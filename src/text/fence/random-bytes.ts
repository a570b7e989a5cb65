import { closeSync, openSync, readSync } from "node:fs";

const source = "/dev/urandom";

/** Random bytes, read from the system: `node:crypto` takes milliseconds to load. */
export function randomBytes(length: number): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(source, "r");
    const bytes = Buffer.alloc(length);
    if (readSync(descriptor, bytes) === length) return bytes;
  } catch {
    // There is no such file on Windows.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  return process.getBuiltinModule("node:crypto").randomBytes(length);
}
