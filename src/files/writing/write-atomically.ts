import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writevSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isSystemError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../file-problem.js";
import { absentStamp, type FileStamp, stampFile, stampOf } from "../file-stamp.js";
import { makeFolder } from "../make-folder.js";
import { keepPrevious, type PreviousFile } from "./previous-file.js";
import { removeLeftovers, temporaryName } from "./temporary-name.js";

export type WriteResult = WrittenFile | { kind: "changed-meanwhile" };

export interface WrittenFile {
  kind: "written";
  stamp: FileStamp;
  /** Whether somebody who had the file open, or replaced it, at the last moment wrote to what it was before. */
  hasLostWrite(): boolean;
  /**
   * Makes the file what it was before, which takes no space on the disk, unless somebody else has written since. Throws
   * when both have been written to; what was written to the earlier one is then kept beside the file.
   */
  restore(): void;
  /** Lets go of what it was before. */
  commit(): void;
}

/**
 * Replaces a file in one step: a temporary file is written and synced, then renamed over it. If the file no longer has
 * the expected stamp, because somebody else wrote to it, nothing changes. Symbolic links are followed; mode and owner
 * are kept; a read-only file is not replaced.
 */
export function writeAtomically(
  path: string,
  parts: readonly Uint8Array[],
  expected: FileStamp,
): WriteResult {
  return withFileErrors(path, () => {
    const target = followLinks(path);
    const directory = dirname(target);
    makeFolder(directory);
    if (expected !== absentStamp) accessSync(target, constants.W_OK);
    removeLeftovers(directory, basename(target));
    const temporary = join(directory, temporaryName(basename(target)));
    const file = openSync(temporary, "wx", 0o666);
    let previous: PreviousFile | undefined;
    try {
      keepModeAndOwner(file, target);
      writeAll(file, parts);
      fsyncSync(file);
      // Does nothing but make the next call quick: the first one takes several times as long.
      renameSync(temporary, temporary);
      if (stampFile(target) !== expected) return changedMeanwhile(temporary);
      if (expected === absentStamp) {
        if (!publishNew(temporary, target)) return changedMeanwhile(temporary);
      } else {
        previous = keepPrevious(target, expected);
        if (previous === undefined || (previous.isCopy && stampFile(target) !== expected)) {
          previous?.remove();
          return changedMeanwhile(temporary);
        }
        // Right behind the link, because a file that takes the name between the two is lost: whether the right one was
        // replaced is looked at afterwards.
        renameSync(temporary, target);
      }
      const stamp = stampOf(fstatSync(file, { bigint: true }));
      if (previous?.hasLostWrite()) {
        previous.restore(stamp);
        return { kind: "changed-meanwhile" };
      }
      syncDirectory(directory);
      return {
        kind: "written",
        stamp,
        hasLostWrite: () => previous?.hasLostWrite() === true,
        restore: () => (previous === undefined ? removeOurs(target, stamp) : previous.restore(stamp)),
        commit: () => previous?.remove(),
      };
    } catch (error) {
      rmSync(temporary, { force: true });
      previous?.remove();
      throw error;
    } finally {
      closeSync(file);
    }
  });
}

/** Whether the name was still free. Where the file system has no links, a file that was made just now is replaced. */
function publishNew(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    renameSync(temporary, target);
    return true;
  }
  rmSync(temporary);
  return true;
}

function changedMeanwhile(temporary: string): WriteResult {
  rmSync(temporary, { force: true });
  return { kind: "changed-meanwhile" };
}

function removeOurs(target: string, stamp: FileStamp): void {
  if (stampFile(target) === stamp) rmSync(target, { force: true });
}

/** Resolves links, also if the target does not exist yet. */
function followLinks(path: string): string {
  let target = path;
  for (let step = 0; step < 40; step += 1) {
    const next = findLinkTarget(target);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

function findLinkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT", "EINVAL")) return undefined;
    throw error;
  }
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
    // Windows cannot open directories; renames are durable there without it.
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
