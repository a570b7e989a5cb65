import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isSystemError } from "../../domain/ralph-error.js";

const maxInput = 16 * 1024 * 1024;
const partBytes = 64 * 1024;
const pollMs = 2;

/**
 * What an agent writes to standard input; more than a limit is refused. It never blocks: an agent may not close it, and a thread that
 * waits for input keeps Node from exiting.
 */
export async function readHookInput(descriptor = 0, platform = process.platform): Promise<string> {
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return stats.size > maxInput ? refuse() : readFileSync(descriptor, "utf8");
  if (!stats.isFIFO() && !stats.isSocket()) return "";
  if (platform === "win32") return readStream();
  // Only on Linux does a pipe that is opened again get a state of its own.
  return stats.isFIFO() && platform === "linux" ? readPipe(descriptor) : readSocket(descriptor);
}

/** Node's streams take as long to set up as a hook may take, so it is read without one, and without blocking. */
async function readPipe(descriptor: number): Promise<string> {
  const file = openSync(`/dev/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return await readUntilEnd(file);
  } finally {
    closeSync(file);
  }
}

async function readUntilEnd(file: number): Promise<string> {
  const parts: Buffer[] = [];
  let buffer: Buffer | undefined;
  for (let size = 0; size <= maxInput; ) {
    buffer ??= Buffer.allocUnsafe(partBytes);
    const length = readNow(file, buffer);
    if (length === 0) return joined(parts);
    if (length === undefined) {
      await pause(pollMs);
      continue;
    }
    parts.push(buffer.subarray(0, length));
    buffer = undefined;
    size += length;
  }
  return refuse();
}

/** Mostly there is one part; each further function of Node's has to be compiled. */
function joined(parts: readonly Buffer[]): string {
  const [first, ...others] = parts;
  return (others.length === 0 && first !== undefined ? first : Buffer.concat(parts)).toString();
}

/** Undefined if there is nothing to read yet. */
function readNow(file: number, buffer: Buffer): number | undefined {
  try {
    return readSync(file, buffer);
  } catch (error) {
    if (isSystemError(error, "EAGAIN")) return undefined;
    throw error;
  }
}

/** A socket cannot be opened a second time; the handle under Node's streams makes it one that does not block. */
async function readSocket(descriptor: number): Promise<string> {
  return keepsFromBlocking(descriptor) ? readUntilEnd(descriptor) : readStream();
}

interface PipeHandle {
  /** Returns the number of an error. */
  open(descriptor: number): number | undefined;
}

/** False where Node no longer gives access to the handle. */
function keepsFromBlocking(descriptor: number): boolean {
  try {
    const { binding } = process as unknown as {
      binding(name: string): { Pipe: new (kind: number) => PipeHandle };
    };
    const { Pipe } = binding("pipe_wrap");
    return !new Pipe(0).open(descriptor);
  } catch {
    return false;
  }
}

async function readStream(): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > maxInput) return refuse();
  }
  return joined(parts);
}

function refuse(): never {
  throw new Error(`standard input is longer than ${maxInput} bytes`);
}
