import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";

/** A string cannot be much longer. */
const maxBytes = 500 * 1024 * 1024;

/** What the caller passed on to this process: standard input, or the pipe of `<(command)` in a shell. */
const passedOn = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Opens a file for reading. Pipes, sockets and devices are refused before they are opened: reading them may block, never
 * end, or change something.
 */
export function openRegularFile(path: string, hint = "move it away"): number {
  checkRegular(path, statSync(path), hint);
  // It may have been replaced since, and opening a pipe would block until there is a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    checkRegular(path, fstatSync(file), hint);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Reading a directory fails with its own message. */
function checkRegular(path: string, stats: Stats, hint: string): void {
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new RalphError("file-unusable", `Not a regular file: ${path}`, { hint });
  }
  if (stats.size > maxBytes) {
    throw new RalphError("file-unusable", `File is larger than 500 MB: ${path}`, { hint });
  }
}

/** The bytes of a regular file; throws if there is none. */
export function readRegularFile(path: string, hint?: string): Buffer {
  return withRegularFile(path, (file) => readFileSync(file), hint);
}

/** The text of a file of our own, which is read in a tenth of the time: Node has a short way for text, and a long one for bytes. */
export function readRegularText(path: string): string {
  return withRegularFile(path, (file) => readFileSync(file, "utf8"));
}

function withRegularFile<Content>(path: string, read: (file: number) => Content, hint?: string): Content {
  return withFileErrors(path, () => {
    const file = openRegularFile(path, hint);
    try {
      return read(file);
    } finally {
      closeSync(file);
    }
  });
}

/** The bytes of a file that the caller named; it may be the caller's standard input. */
export function readGivenFile(path: string): Buffer {
  if (!passedOn.test(path)) return readRegularFile(path, "name another file");
  return withFileErrors(path, () => readFileSync(path));
}
