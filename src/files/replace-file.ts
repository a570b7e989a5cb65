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
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writevSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { absentStamp, type FileStamp, stampFile, stampOf } from "./file-stamp.js";
import { makeFolder } from "./make-folder.js";

export interface ReplaceOptions {
  /**
   * Where the old version stays until the next replacement. A change saved between the last check and the rename is found there and put
   * back; without it, such a change is overwritten.
   */
  previous?: string | undefined;
}

const temporarySuffix = ".ralph-tmp";
const leftoverAgeMs = 10 * 60 * 1000;
const maxTries = 100;

/**
 * Replaces a file atomically: a temporary file is written and synced next to it, then renamed over it. Returns the new stamp, or undefined
 * if the file no longer has the expected one because another program saved it. Follows symbolic links and keeps mode and owner; does not
 * replace a read-only file.
 */
export function replaceIfUnchanged(
  path: string,
  parts: readonly Uint8Array[],
  expected: FileStamp,
  { previous }: ReplaceOptions = {},
): FileStamp | undefined {
  return withFileErrors(path, () => {
    const target = followLinks(path);
    makeFolder(dirname(target));
    if (expected !== absentStamp) {
      refuseSpecialFile(target);
      accessSync(target, constants.W_OK);
    }
    removeLeftovers(target);
    const temporary = temporaryPath(target);
    const file = openSync(temporary, "wx", 0o666);
    try {
      keepModeAndOwner(file, target);
      writeAll(file, parts);
      fsyncSync(file);
      if (stampFile(target) !== expected) return undefined;
      const isLinked = previous !== undefined && expected !== absentStamp && keepPrevious(target, previous);
      whileLocked(() => renameSync(temporary, target));
      const stamp = stampOf(fstatSync(file, { bigint: true }));
      if (isLinked && hasContentChanged(previous, expected) && stampFile(target) === stamp) {
        whileLocked(() => renameSync(previous, target));
        return undefined;
      }
      syncDirectory(dirname(target));
      return stamp;
    } finally {
      closeSync(file);
      rmSync(temporary, { force: true });
    }
  });
}

/** A replacement that can be undone. */
export interface Replacement {
  path: string;
  previous: string;
  /** Stamps of the old and of the new file. */
  before: FileStamp;
  after: FileStamp;
}

/** Puts the previous version back unless the file was saved since. Needs no disk space. */
export function undoReplacement({ path, previous, before, after }: Replacement): void {
  const target = followLinks(path);
  if (stampFile(target) !== after) return;
  if (before === absentStamp) rmSync(target);
  else whileLocked(() => renameSync(previous, target));
}

/** Writes a file atomically, replacing an existing one. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (replaceIfUnchanged(path, [bytes], stampFile(path)) === undefined)
    throw new RalphError("file-unusable", `Another process is writing to ${path}`, { hint: "try again" });
}

/** Like `replaceFile` for a small file that only Ralph writes: it survives a kill, but not a power failure. */
export function replaceOwnFile(path: string, text: string): void {
  const temporary = temporaryPath(path);
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    whileLocked(() => renameSync(temporary, path));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** For loops that start over when another program saves the file: throws after too many attempts. */
export function limitAttempts(path: string, attempt: number): void {
  if (attempt < maxTries) return;
  throw new RalphError("file-unusable", `Another program keeps writing to ${path}`, {
    hint: "stop it, then try again",
  });
}

/** Links the old version to its second name, or copies it where links are not possible; returns whether it was linked. */
function keepPrevious(target: string, previous: string): boolean {
  const folder = dirname(previous);
  makeFolder(folder, 0o700);
  if (lstatSync(folder).isSymbolicLink())
    throw new RalphError("file-unusable", `${folder} is a symbolic link`, { hint: "remove it" });
  rmSync(previous, { force: true });
  try {
    linkSync(target, previous);
    return true;
  } catch {
    copyFileSync(target, previous, constants.COPYFILE_EXCL);
    return false;
  }
}

/** Links and renames change the ctime of a file, so it is ignored. */
function hasContentChanged(path: string, expected: FileStamp): boolean {
  const [size, modified, , inode] = expected.split(":");
  const stats = statSync(path, { bigint: true });
  return `${stats.size} ${stats.mtimeNs} ${stats.ino}` !== `${size} ${modified} ${inode}`;
}

/** Follows a path that is itself a link, also to a missing target; links among its folders are kept. */
function followLinks(path: string): string {
  let target = path;
  for (let step = 0; step < 40; step += 1) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

/** A device or a pipe would be replaced rather than written to. For a folder, the system reports the error itself. */
export function refuseSpecialFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return;
  throw new RalphError("file-unusable", `${path} is not a plain file`, { hint: "name another file" });
}

function keepModeAndOwner(file: number, target: string): void {
  const existing: Stats | undefined = statSync(target, { throwIfNoEntry: false });
  if (existing === undefined) return;
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

export function writeAll(file: number, parts: readonly Uint8Array[]): void {
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
    // Some file systems cannot sync a directory.
    if (!isSystemError(error, "EINVAL", "EPERM")) throw error;
  } finally {
    closeSync(handle);
  }
}

function temporaryPath(target: string): string {
  const unique = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  return join(dirname(target), `.${basename(target)}.${unique}${temporarySuffix}`);
}

/** Removes the leftovers of a process that was killed while writing. */
function removeLeftovers(target: string): void {
  const directory = dirname(target);
  for (const entry of readdirSync(directory)) {
    if (!entry.startsWith(`.${basename(target)}.`) || !entry.endsWith(temporarySuffix)) continue;
    const path = join(directory, entry);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > leftoverAgeMs) rmSync(path, { force: true });
  }
}

const lockedForMs = 1000;
const pauseMs = 20;

/**
 * On Windows a file cannot be renamed while another program, such as a virus scanner, has it open: retries for a second. Elsewhere runs
 * once.
 */
export function whileLocked<Result>(work: () => Result, isOnWindows = process.platform === "win32"): Result {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      return work();
    } catch (error) {
      const isLocked = isOnWindows && isSystemError(error, "EPERM", "EACCES", "EBUSY");
      if (!isLocked || waitedMs >= lockedForMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
