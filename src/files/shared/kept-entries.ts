import { type BigIntStats, existsSync, lstatSync, readdirSync, statSync, unlink, unlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isSystemError, RalphError } from "../../domain/ralph-error.js";
import { absentStamp, type FileStamp } from "../file-stamp.js";
import { makePrivateDirectory } from "../private-directory.js";
import { followLinks } from "./file-steps.js";
import { removeLeftovers } from "./temporary-name.js";

/** A file that Ralph replaces while people may be writing to it. */
export interface SharedFile {
  path: string;
  /** Ralph's own folder, where what was replaced is kept. */
  storeDirectory: string;
}

/** One replacement: the new file until it has the name, the file that had it, and what that file contained. */
export interface KeptEntry {
  /** When, and by which process; sorts by time. */
  token: string;
  fresh?: string | undefined;
  kept?: string | undefined;
  base?: string | undefined;
  /** Of the kept file when it was read. */
  print: string;
}

/** An entry whose files are all named, whether they exist yet or not. */
export interface NewEntry extends KeptEntry {
  fresh: string;
  kept: string;
  base: string;
}

/** Beside a file that is not on the file system of Ralph's own folder, or that several projects link to. */
export const besideName = ".ralph-replaced";
const storeName = "replaced";

/** Whether a file is an earlier version of another one. */
export function isReplacedFile(path: string): boolean {
  const folder = basename(dirname(dirname(path)));
  return (folder === storeName || folder === besideName) && /\.(?:kept|base|new)$/.test(path);
}

export interface KeptFolders {
  target: string;
  /** In Ralph's own folder; undefined when the file cannot be moved there. */
  inStore: string | undefined;
  beside: string;
}

export function findKeptFolders({ path, storeDirectory }: SharedFile): KeptFolders {
  const target = followLinks(path);
  const beside = join(dirname(target), besideName, basename(target));
  const replaced = join(storeDirectory, storeName);
  const isNear = target === path && deviceOf(storeDirectory) === deviceOf(dirname(target));
  // By the way from one to the other, so that a project can be moved.
  const name = `${basename(target).slice(-100)}-${hashOf(relative(replaced, target))}`;
  return { target, inStore: isNear ? join(replaced, name) : undefined, beside };
}

function deviceOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.dev;
}

function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Makes a folder that git ignores. */
export function makeKeptFolder(folder: string, target: string): void {
  refuseLinks(folder);
  if (existsSync(folder)) return;
  makePrivateDirectory(dirname(folder));
  makePrivateDirectory(folder);
  // Earlier versions wrote their temporary files beside it.
  removeLeftovers(dirname(target), basename(target));
}

/** A repository could bring links, and have what is replaced moved or read elsewhere. */
function refuseLinks(folder: string): void {
  for (const path of [dirname(folder), folder]) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new RalphError("file-unusable", `${path} is a symbolic link`, { hint: "remove it" });
  }
}

/** The names of a new entry; the kept file's name says what it was when it was read. */
export function newEntry(folder: string, expected: FileStamp): NewEntry {
  const token = `${Date.now().toString(36)}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const print = printOfStamp(expected);
  const path = (rest: string) => join(folder, `${token}.${rest}`);
  return { token, print, fresh: path("new"), kept: path(`${print}.kept`), base: path("base") };
}

export function writerOf({ token }: KeptEntry): number {
  return Number(token.split("-")[1]);
}

/** The same entry once its kept file has been looked at again. */
export function renamedEntry(entry: KeptEntry, print: string): string {
  return join(dirname(entry.kept ?? ""), `${entry.token}.${print}.kept`);
}

/** Oldest first. */
export function listEntries({ inStore, beside }: KeptFolders): KeptEntry[] {
  const entries = new Map<string, KeptEntry>();
  for (const folder of [inStore, beside]) {
    if (folder === undefined || !existsSync(folder)) continue;
    refuseLinks(folder);
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
    for (const name of files.map((file) => file.name).sort()) addName(entries, folder, name);
  }
  return [...entries.values()];
}

function addName(entries: Map<string, KeptEntry>, folder: string, name: string): void {
  const dot = name.indexOf(".");
  if (dot < 1) return;
  const [token, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  const entry: KeptEntry = entries.get(token) ?? { token, print: "" };
  const path = `${folder}/${name}`;
  if (rest === "new") entry.fresh = path;
  else if (rest === "base") entry.base = path;
  else if (rest.endsWith(".kept")) Object.assign(entry, { kept: path, print: rest.slice(0, -5) });
  entries.set(token, entry);
}

/** Between its two steps: the name is free, or somebody else has it. */
export function isOpen({ fresh, kept }: KeptEntry): boolean {
  return fresh !== undefined && kept !== undefined;
}

export function removeEntry({ fresh, kept, base }: KeptEntry): void {
  for (const path of [kept, base, fresh]) if (path !== undefined) removeFile(path);
}

/** The same by another thread: to remove a large file takes as long as to write it. */
export async function removeEntryBeside({ fresh, kept, base }: KeptEntry): Promise<void> {
  await Promise.all([kept, base, fresh].map((path) => path !== undefined && removeBeside(path)));
}

function removeBeside(path: string): Promise<void> {
  return new Promise((done, fail) => {
    unlink(path, (error) => (error === null || isSystemError(error, "ENOENT") ? done() : fail(error)));
  });
}

/** Quicker than `rmSync`, which loads more code. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

/** Whether somebody wrote to the kept file, or it is another one than was read. */
export function hasLateWrite({ kept, print }: KeptEntry): boolean {
  if (kept === undefined) return false;
  const stats = findStats(kept);
  return stats !== undefined && `${stats.size}-${stats.mtimeNs}-${stats.ino}` !== print;
}

/** Links and renames change only the time of a file's entry, so that is left out. */
export function printOfStamp(stamp: FileStamp): string {
  const [size, modified, , inode] = stamp.split(":");
  return stamp === absentStamp ? "0" : `${size}-${modified}-${inode}`;
}

/** So many stay whatever their age; beyond them, those of the last 20 seconds do. */
const maxKept = 16;
const minAgeMs = 20_000;
const maxKeptBytes = 64 * 1024 * 1024;
const leftoverAgeMs = 10 * 60_000;

/** What nobody can be writing to any more, and what killed writers left. */
export function findOutdated(entries: readonly KeptEntry[]): KeptEntry[] {
  const ageOf = ({ token }: KeptEntry) => Math.abs(Date.now() - Number.parseInt(token, 36));
  let [count, bytes] = [0, 0];
  return entries.toReversed().filter((entry) => {
    if (entry.kept === undefined) return ageOf(entry) > leftoverAgeMs;
    if (entry.fresh !== undefined) return false;
    count += 1;
    bytes += 2 * Number(entry.print.split("-")[0]);
    const isMany = count > maxKept && ageOf(entry) > minAgeMs;
    return isMany || (bytes > maxKeptBytes && count > 1);
  });
}

/** Late writes to the last entries, and to those that are about to be removed: in a burst of updates there may be many. */
export function findLate(entries: readonly KeptEntry[]): KeptEntry[] {
  const looked = new Set([...findOutdated(entries), ...entries.slice(-maxKept)]);
  return entries.filter((entry) => looked.has(entry) && hasLateWrite(entry));
}

export function findStats(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
