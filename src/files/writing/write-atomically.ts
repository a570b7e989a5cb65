import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
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

export type WriteResult = WrittenFile | { kind: "changed-meanwhile" };

export interface WrittenFile {
  kind: "written";
  stamp: FileStamp;
  /** Whether somebody wrote to the previous file at the last moment, so that their change would be lost. */
  hasLostWrite(): boolean;
  /** Restores the previous file, unless somebody else has written since; needs no disk space. */
  restore(): void;
  /** Deletes the previous file; must be called once the write is final. */
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
      if (stampFile(target) !== expected) {
        rmSync(temporary, { force: true });
        return { kind: "changed-meanwhile" };
      }
      previous = expected === absentStamp ? undefined : keepPrevious(target);
      if (previous !== undefined && !isUnchanged(target, expected)) {
        rmSync(temporary, { force: true });
        removeIfAny(previous.path);
        return { kind: "changed-meanwhile" };
      }
      renameSync(temporary, target);
      const stamp = stampOf(fstatSync(file, { bigint: true }));
      syncDirectory(directory);
      return {
        kind: "written",
        stamp,
        hasLostWrite: () => previous?.isLink === true && !isUnchanged(previous.path, expected),
        restore: () => restore(target, stamp, previous?.path),
        commit: () => removeIfAny(previous?.path),
      };
    } catch (error) {
      rmSync(temporary, { force: true });
      removeIfAny(previous?.path);
      throw error;
    } finally {
      closeSync(file);
    }
  });
}

interface PreviousFile {
  path: string;
  isLink: boolean;
}

/** Keeps the file under a second name, so that it survives its replacement; as a copy if hard links are not supported. */
function keepPrevious(target: string): PreviousFile {
  const path = join(dirname(target), temporaryName(basename(target)));
  try {
    linkSync(target, path);
    return { path, isLink: true };
  } catch {
    copyFileSync(target, path);
    return { path, isLink: false };
  }
}

/** Ignores ctime, which links and renames change. */
function isUnchanged(path: string, expected: FileStamp): boolean {
  const parts = (stamp: FileStamp) => stamp.split(":").toSpliced(2, 1).join(":");
  return parts(stampFile(path)) === parts(expected);
}

/** Deletes the target if there was no previous file. */
function restore(target: string, stamp: FileStamp, previous: string | undefined): void {
  if (stampFile(target) !== stamp) return;
  if (previous === undefined) rmSync(target, { force: true });
  else renameSync(previous, target);
}

function removeIfAny(path: string | undefined): void {
  if (path !== undefined) rmSync(path, { force: true });
}

const temporarySuffix = ".ralph-tmp";
const leftoverAgeMs = 10 * 60 * 1000;

function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${Math.random().toString(36).slice(2)}${temporarySuffix}`;
}

/** Left by processes that were killed while writing. */
function removeLeftovers(directory: string, name: string): void {
  for (const entry of readdirSync(directory)) {
    if (!entry.startsWith(`.${name}.`) || !entry.endsWith(temporarySuffix)) continue;
    const path = join(directory, entry);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > leftoverAgeMs) rmSync(path, { force: true });
  }
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
