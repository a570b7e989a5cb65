import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";

const megabyte = 1024 * 1024;

/** The default limit. */
export const maxFileBytes = 32 * megabyte;

/** The limit for files that the user names: a string cannot be much longer. */
export const maxGivenBytes = 500 * megabyte;

/** For files of a few lines, such as git's own. */
export const maxSmallFileBytes = megabyte;

/** Enough for Git's index of a million files. */
export const maxGitIndexBytes = 128 * megabyte;

/** Files passed on by the caller: standard input, or the pipe of `<(command)` in a shell. */
const passedOn = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

export interface ReadOptions {
  hint?: string;
  /** A larger file is refused. */
  maxBytes?: number;
}

/**
 * Opens a file for reading. Pipes, sockets and devices are refused before they are opened: reading them may block, never end, or have side
 * effects.
 */
export function openRegularFile(path: string, options: ReadOptions = {}): number {
  checkRegular(path, statSync(path), options);
  // It may have been replaced meanwhile, and opening a pipe would block until there is a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    checkRegular(path, fstatSync(file), options);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Reading a directory fails with its own message. */
function checkRegular(
  path: string,
  stats: Stats,
  { hint = "move it away", maxBytes = maxGivenBytes }: ReadOptions,
): void {
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new RalphError("file-unusable", `Not a regular file: ${path}`, { hint });
  }
  if (stats.size > maxBytes) {
    throw new RalphError("file-unusable", `File is larger than ${maxBytes / megabyte} MB: ${path}`, {
      hint,
    });
  }
}

/** The beginning of an open file, which may grow meanwhile. */
export function readUpTo(file: number, maxBytes: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.max(1, Math.min(fstatSync(file).size, maxBytes)));
  let length = 0;
  for (let count = -1; count !== 0 && length < bytes.length; length += count)
    count = readSync(file, bytes, length, bytes.length - length, length);
  return bytes.subarray(0, length);
}

/** The bytes of a regular file; throws if it does not exist. */
export function readRegularFile(path: string, options: ReadOptions = {}): Buffer {
  const { maxBytes = maxFileBytes } = options;
  return withRegularFile(path, (file) => readUpTo(file, maxBytes), { ...options, maxBytes });
}

function withRegularFile<Content>(
  path: string,
  read: (file: number) => Content,
  options: ReadOptions,
): Content {
  return withFileErrors(path, () => {
    const file = openRegularFile(path, options);
    try {
      return read(file);
    } finally {
      closeSync(file);
    }
  });
}

/** The bytes of a file that the caller named; it may be the caller's standard input. */
export function readGivenFile(path: string): Buffer {
  if (!passedOn.test(path))
    return readRegularFile(path, { hint: "name another file", maxBytes: maxGivenBytes });
  return withFileErrors(path, () => readFileSync(path));
}

/** The last bytes of a regular file. */
export function readEnd(path: string, length: number): Buffer {
  const read = (file: number): Buffer => {
    const bytes = Buffer.alloc(length);
    const start = Math.max(0, fstatSync(file).size - length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, start));
  };
  return withRegularFile(path, read, {});
}
