import { closeSync, openSync, readSync } from "node:fs";

const source = "/dev/urandom";

/** A random UUID (version 4). It is read from the system: Node's own function loads much of Node first, which takes milliseconds. */
export function newUuid(): string {
  const bytes = readRandom(16);
  if (bytes === undefined) return crypto.randomUUID();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function readRandom(length: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(source, "r");
    const bytes = Buffer.alloc(length);
    return readSync(descriptor, bytes) === length ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
