import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writevSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { type FileStamp, stampFile, stampOf } from "./file-stamp.js";

export type WriteResult = { kind: "written"; stamp: FileStamp } | { kind: "changed-meanwhile" };

/**
 * Replaces a file in one step: a temporary file is written and synced, then renamed over it. When the file no longer
 * has the expected stamp, because somebody else wrote to it, nothing happens. Symbolic links are followed; mode and
 * owner are kept. Writers of one file must take turns: the temporary name is fixed, so that a crash leaves at most one.
 */
export function writeAtomically(
  path: string,
  parts: readonly Uint8Array[],
  expected: FileStamp,
): WriteResult {
  return withFileErrors(path, () => {
    const target = followLinks(path);
    const directory = dirname(target);
    mkdirSync(directory, { recursive: true });
    const temporary = join(directory, `.${basename(target)}.ralph-tmp`);
    const file = openTemporary(temporary);
    try {
      keepModeAndOwner(file, target);
      writeAll(file, parts);
      fsyncSync(file);
      if (stampFile(target) !== expected) {
        rmSync(temporary, { force: true });
        return { kind: "changed-meanwhile" };
      }
      renameSync(temporary, target);
      const stamp = stampOf(fstatSync(file, { bigint: true }));
      syncDirectory(directory);
      return { kind: "written", stamp };
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  });
}

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch (error) {
    if (isSystemError(error, "ENOENT", "EINVAL")) return path;
    throw error;
  }
}

function openTemporary(path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
  return openSync(path, flags, 0o666);
}

function keepModeAndOwner(file: number, target: string): void {
  let existing: Stats;
  try {
    existing = statSync(target);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return;
    throw error;
  }
  const own = fstatSync(file);
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    try {
      fchownSync(file, existing.uid, existing.gid);
    } catch (error) {
      if (!isSystemError(error, "EPERM", "ENOSYS")) throw error;
    }
  }
  if ((own.mode & 0o7777) !== (existing.mode & 0o7777)) fchmodSync(file, existing.mode & 0o7777);
}

function writeAll(file: number, parts: readonly Uint8Array[]): void {
  let pending = parts.filter((part) => part.byteLength > 0);
  while (pending.length > 0) {
    let written = writevSync(file, pending);
    pending = pending.flatMap((part) => {
      const done = Math.min(written, part.byteLength);
      written -= done;
      return done === part.byteLength ? [] : [part.subarray(done)];
    });
  }
}

function syncDirectory(directory: string): void {
  let handle: number;
  try {
    handle = openSync(directory, "r");
  } catch (error) {
    // Windows cannot open directories; there a rename is durable without it.
    if (isSystemError(error, "EISDIR", "EPERM", "EACCES")) return;
    throw error;
  }
  try {
    fsyncSync(handle);
  } catch (error) {
    if (!isSystemError(error, "EINVAL", "EPERM")) throw error;
  } finally {
    closeSync(handle);
  }
}
