import { accessSync, closeSync, constants, fstatSync, linkSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../../domain/ralph-error.js";
import { fileProblem } from "../file-problem.js";
import { absentStamp, type FileStamp, stampFile, stampOf } from "../file-stamp.js";
import { makeFolder } from "../make-folder.js";
import type { FileSnapshot } from "../read-file.js";
import { whileLocked } from "../while-locked.js";
import { renderEdit } from "./edit-file.js";
import { areWhole, stepsAmong } from "./edit-steps.js";
import {
  followLinks,
  keepModeAndOwner,
  syncBeside,
  syncDirectoryBeside,
  writeAll,
  writeBeside,
  writeNew,
} from "./file-steps.js";
import {
  findKeptFolders,
  findStats,
  hasLateWrite,
  type KeptFolders,
  listEntries,
  makeKeptFolder,
  type NewEntry,
  newEdit,
  newEntry,
  removeEntry,
  removeEntryBeside,
  removeFile,
  type SharedFile,
} from "./kept-entries.js";
import { findRemovable } from "./outdated-entries.js";

export type ReplaceResult = ReplacedFile | { kind: "changed-meanwhile" };

export interface ReplacedFile {
  kind: "written";
  stamp: FileStamp;
  /** Until then a loss of power may bring back what it was before. */
  onDisk: Promise<void>;
  /** Whether somebody who had the file open, or replaced it at the last moment, wrote to what it was before. */
  hasLateWrite(): boolean;
  /** Makes the file what it was before, which takes no space on the disk, unless somebody else has written since. */
  restore(): void;
}

export interface ReplaceOptions {
  /** Also when it has changed since the snapshot: what is replaced has a late write then, which is merged. */
  isUrgent?: boolean;
  /** What can be done while the new file goes to the disk. */
  meanwhile?: (() => Promise<void>) | undefined;
}

/**
 * Replaces a file that people may be writing to. The old one moves to a kept name and the new one, written and synced, is
 * linked to the free name: nobody's file is ever overwritten. If the file is not what the snapshot shows, or somebody takes
 * the name in between, nothing changes; `settleShared` then sorts out what is there. Symbolic links are followed; mode and
 * owner are kept; a read-only file is not replaced.
 */
export async function replaceShared(
  file: SharedFile,
  parts: readonly Uint8Array[],
  snapshot: FileSnapshot,
  options: ReplaceOptions = {},
): Promise<ReplaceResult> {
  try {
    makeFolder(dirname(followLinks(file.path)));
    const folders = findKeptFolders(file);
    if (snapshot.stamp !== absentStamp) accessSync(folders.target, constants.W_OK);
    try {
      return await replaceIn(folders.inStore ?? folders.beside, folders, parts, snapshot, options);
    } catch (error) {
      // Two mounts of one device look alike until something is moved between them.
      if (!isSystemError(error, "EXDEV") || folders.inStore === undefined) throw error;
      return await replaceIn(folders.beside, folders, parts, snapshot, { ...options, meanwhile: undefined });
    }
  } catch (error) {
    throw fileProblem(file.path, error);
  }
}

async function replaceIn(
  folder: string,
  folders: KeptFolders,
  parts: readonly Uint8Array[],
  snapshot: FileSnapshot,
  options: ReplaceOptions,
): Promise<ReplaceResult> {
  const { target } = folders;
  const { stamp: expected } = snapshot;
  makeKeptFolder(folder, target);
  const entry = newEntry(folder, expected);
  const file = openSync(entry.fresh, "wx", 0o666);
  try {
    keepModeAndOwner(file, target);
    writeAll(file, parts);
    const written = stampOf(fstatSync(file, { bigint: true }));
    await allDone([
      syncBeside(file),
      keepVersion(folders, entry, snapshot, { written, parts }),
      options.meanwhile?.(),
    ]);
    if (!exchange(target, entry, expected, options)) return { kind: "changed-meanwhile" };
    const stamp = stampOf(fstatSync(file, { bigint: true }));
    return {
      kind: "written",
      stamp,
      onDisk: told(syncDirectoryBeside(dirname(target)), target),
      hasLateWrite: () => hasLateWrite(entry),
      restore: () => restore(target, { folder, entry, stamp, expected, parts }),
    };
  } catch (error) {
    if (findStats(entry.kept) === undefined) removeEntry(entry);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Waits for all of them, whatever becomes of one: none goes on behind the back of whoever cleans up. */
async function allDone(work: readonly (Promise<void> | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(work);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** What replaces a file. */
interface Replacing {
  written: FileStamp;
  parts: readonly Uint8Array[];
}

/** Keeps what tells of the version that is replaced and of the next one, and removes what is outdated. */
async function keepVersion(
  folders: KeptFolders,
  entry: NewEntry,
  { bytes }: FileSnapshot,
  replacing: Replacing,
): Promise<void> {
  const entries = listEntries(folders);
  const outdated = findRemovable(entries, entry);
  const isTold = bytes === undefined || areWhole(stepsAmong(entries)(entry) ?? []);
  await allDone([
    // A copy is as large as the file, so another thread writes it.
    isTold ? undefined : writeBeside(entry.base, bytes),
    ...outdated.map(removeEntryBeside),
    bytes && keepEdit(entry, bytes, replacing),
  ]);
}

/** The next one who replaces the file need not copy it. */
async function keepEdit(entry: NewEntry, before: Buffer, { written, parts }: Replacing): Promise<void> {
  const change = renderEdit(before, parts);
  if (change === undefined) return;
  entry.edit = newEdit(entry, written);
  writeNew(entry.edit.path, change);
}

/** With an error that says what to do, for whoever waits for it. */
function told(work: Promise<void>, path: string): Promise<void> {
  const translated = work.catch((error: unknown) => {
    throw fileProblem(path, error);
  });
  translated.catch(() => undefined);
  return translated;
}

/** Whether the fresh file got the name. What had it is kept; between the two calls the name is free. */
function exchange(
  target: string,
  entry: NewEntry,
  expected: FileStamp,
  { isUrgent = false }: ReplaceOptions,
): boolean {
  const { fresh, kept } = entry;
  warmUp(fresh);
  if (
    (stampFile(target) !== expected && !isUrgent) ||
    (expected !== absentStamp && !moveAway(target, kept))
  ) {
    removeEntry({ ...entry, kept: undefined });
    return false;
  }
  let isPublished: boolean;
  try {
    isPublished = publish(fresh, target);
  } catch (error) {
    if (putBack(kept, target)) removeEntry(entry);
    throw error;
  }
  // Otherwise the fresh file stays: it says that somebody took the name.
  if (isPublished) removeFile(fresh);
  else if (expected === absentStamp) removeEntry(entry);
  return isPublished;
}

/** Does nothing but make the next calls quick: the first ones take several times as long, and the name is free meanwhile. */
function warmUp(fresh: string): void {
  renameSync(fresh, fresh);
  try {
    linkSync(fresh, fresh);
  } catch {
    // It exists.
  }
}

function moveAway(target: string, kept: string): boolean {
  try {
    whileLocked(() => renameSync(target, kept));
    return true;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw error;
  }
}

/** Whether the name was still free. Where there are no links, a file that was made a moment ago is overwritten. */
function publish(fresh: string, target: string): boolean {
  try {
    linkSync(fresh, target);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    renameSync(fresh, target);
    return true;
  }
}

/** Gives a kept file its name again; false when somebody else has it. */
export function putBack(kept: string, target: string): boolean {
  try {
    linkSync(kept, target);
    removeFile(kept);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    // Not a race that matters: there are no links here, so nothing better is possible.
    if (findStats(target) !== undefined) return false;
    renameSync(kept, target);
    return true;
  }
}

interface Replacement {
  folder: string;
  entry: NewEntry;
  stamp: FileStamp;
  expected: FileStamp;
  parts: readonly Uint8Array[];
}

function restore(target: string, { folder, entry, stamp, expected, parts }: Replacement): void {
  const back = newEntry(folder, stamp);
  const isOurs = () => stampFile(target) === stamp;
  if (!isOurs()) return;
  keepBase(back, parts);
  if (expected === absentStamp) {
    if (moveAway(target, back.kept) && hasLateWrite(back)) putBack(back.kept, target);
    return;
  }
  const isLinked = hasSecondName(entry.kept, back.fresh);
  // When somebody has saved on top of what Ralph wrote, that stays, and their earlier file is still looked after.
  if (isOurs() && moveAway(target, back.kept) && publish(back.fresh, target)) removeEntry(entry);
  if (isLinked) removeFile(back.fresh);
  else if (findStats(back.fresh) !== undefined) renameSync(back.fresh, entry.kept);
}

function keepBase({ base }: NewEntry, parts: readonly Uint8Array[]): void {
  try {
    writeNew(base, Buffer.concat(parts));
  } catch {
    // The disk may be full, which is why it is restored; the base only makes a later merge more exact.
  }
}

/** Where there are no links, it is moved. */
function hasSecondName(kept: string, fresh: string): boolean {
  try {
    linkSync(kept, fresh);
    return true;
  } catch {
    renameSync(kept, fresh);
    return false;
  }
}
