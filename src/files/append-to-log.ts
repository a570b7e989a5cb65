import { closeSync, constants, fstatSync, lstatSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

const fileName = "ralph.log";
const maxBytes = 256 * 1024;
const maxLine = 1000;
const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = constants;

export function logPath(storeDirectory: string): string {
  return join(storeDirectory, fileName);
}

/** Appends a line to the memory's log, which has at most two files; a log that cannot be written is no reason to fail. */
export function appendToLog(storeDirectory: string, text: string): void {
  const path = logPath(storeDirectory);
  const line = text.replace(/\s+/g, " ").slice(0, maxLine);
  try {
    // A link may lead out of the project.
    if (!lstatSync(storeDirectory, { throwIfNoEntry: false })?.isDirectory()) return;
    if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
    // A link may lead to any file, and a pipe without a reader blocks.
    const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      if (fstatSync(file).isFile()) writeSync(file, `${new Date().toISOString()} ${line}\n`);
    } finally {
      closeSync(file);
    }
  } catch {
    // There is nowhere left to report it.
  }
}
