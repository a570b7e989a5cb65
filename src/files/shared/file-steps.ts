import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
  statSync,
  write,
  writeFileSync,
  writevSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { isSystemError } from "../../domain/ralph-error.js";

/** Follows a path that is itself a link, also to what does not exist yet; links among its folders stay as they are. */
export function followLinks(path: string): string {
  let target = path;
  for (let step = 0; step < 40; step += 1) {
    const next = findLinkTarget(target);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

function findLinkTarget(path: string): string | undefined {
  // Most are none, and to make an error of that takes longer than to look.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  try {
    return readlinkSync(path);
  } catch (error) {
    // It was replaced just now. The last one is what Windows says of some files that are no links.
    if (isSystemError(error, "ENOENT", "EINVAL", "UNKNOWN")) return undefined;
    throw error;
  }
}

/** Gives a new file the mode and the owner of the one that it replaces. */
export function keepModeAndOwner(file: number, target: string): void {
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

const newAndPrivate = { mode: 0o600, flag: "wx" } as const;

/** Writes a file that only its owner can read and that was not there: never through a link that somebody else brought. */
export function writeNew(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes, newAndPrivate);
}

/** The same by another thread. */
export async function writeBeside(path: string, bytes: Uint8Array): Promise<void> {
  const file = openSync(path, newAndPrivate.flag, newAndPrivate.mode);
  try {
    await new Promise<void>((done, fail) => {
      const writeFrom = (begin: number) =>
        write(file, bytes, begin, bytes.byteLength - begin, null, (error, count) => {
          if (error !== null) fail(error);
          else if (begin + count < bytes.byteLength) writeFrom(begin + count);
          else done();
        });
      writeFrom(0);
    });
  } finally {
    closeSync(file);
  }
}

/** Waits until a file is on the disk, while this thread goes on. */
export function syncBeside(file: number): Promise<void> {
  return new Promise((done, fail) => {
    fsync(file, (error) => (error === null ? done() : fail(error)));
  });
}

export function syncDirectory(directory: string): void {
  const handle = openDirectory(directory);
  if (handle === undefined) return;
  try {
    fsyncSync(handle);
  } catch (error) {
    if (!isOnlyUnknown(error)) throw error;
  } finally {
    closeSync(handle);
  }
}

export async function syncDirectoryBeside(directory: string): Promise<void> {
  const handle = openDirectory(directory);
  if (handle === undefined) return;
  try {
    await syncBeside(handle);
  } catch (error) {
    if (!isOnlyUnknown(error)) throw error;
  } finally {
    closeSync(handle);
  }
}

/** Undefined on Windows, which cannot open directories; renames are durable there without it. */
function openDirectory(directory: string): number | undefined {
  try {
    return openSync(directory, "r");
  } catch (error) {
    if (isSystemError(error, "EISDIR", "EPERM", "EACCES")) return undefined;
    throw error;
  }
}

/** Some file systems do not know how to sync a directory. */
function isOnlyUnknown(error: unknown): boolean {
  return isSystemError(error, "EINVAL", "EPERM");
}
