import { type BigIntStats, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { absentStamp, type FileStamp, stampFile } from "../file-stamp.js";
import { makePrivateDirectory } from "../private-directory.js";
import { followLinks } from "./file-steps.js";

/** A file that Ralph replaces while people may be writing to it. */
export interface SharedFile {
  path: string;
  /** Ralph's own folder, where what was replaced is kept. */
  storeDirectory: string;
}

/** One replacement: the new file until it has the name, the file that had it, and what that file contained. */
export interface KeptEntry {
  token: string;
  time: number;
  pid: number;
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
const besideName = ".ralph-replaced";
const entryName =
  /^(?<token>(?<time>[0-9a-z]+)-(?<pid>\d+)-[0-9a-z]+)\.(?:(?<print>[\d-]+)\.)?(?<kind>new|kept|base)$/;

export interface KeptFolders {
  target: string;
  /** In Ralph's own folder; undefined when the file cannot be moved there. */
  inStore: string | undefined;
  beside: string;
}

export function findKeptFolders({ path, storeDirectory }: SharedFile): KeptFolders {
  const target = followLinks(path);
  const beside = join(dirname(target), besideName, basename(target));
  const replaced = join(storeDirectory, "replaced");
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
export function makeKeptFolder(folder: string): void {
  if (existsSync(folder)) return;
  makePrivateDirectory(dirname(folder));
  makePrivateDirectory(folder);
}

/** The names of a new entry; the kept file's name says what it was when it was read. */
export function newEntry(folder: string, expected: FileStamp): NewEntry {
  const time = Date.now();
  const token = `${time.toString(36)}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const print = printOfStamp(expected);
  const path = (rest: string) => join(folder, `${token}.${rest}`);
  const names = { fresh: path("new"), kept: path(`${print}.kept`), base: path("base") };
  return { token, time, pid: process.pid, print, ...names };
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
    for (const name of readdirSync(folder)) addName(entries, folder, name);
  }
  return [...entries.values()].sort((a, b) => a.time - b.time);
}

function addName(entries: Map<string, KeptEntry>, folder: string, name: string): void {
  const { token, time, pid, print, kind } = entryName.exec(name)?.groups ?? {};
  if (token === undefined || time === undefined) return;
  const entry: KeptEntry = entries.get(token) ?? {
    ...{ token, time: Number.parseInt(time, 36), pid: Number(pid), print: "" },
  };
  const path = join(folder, name);
  if (kind === "new") entry.fresh = path;
  else if (kind === "base") entry.base = path;
  else Object.assign(entry, { kept: path, print });
  entries.set(token, entry);
}

export function removeEntry({ fresh, kept, base }: KeptEntry): void {
  for (const path of [kept, base, fresh]) if (path !== undefined) rmSync(path, { force: true });
}

/** Whether somebody wrote to the kept file, or it is another one than was read. */
export function hasLateWrite({ kept, print }: KeptEntry): boolean {
  if (kept === undefined) return false;
  const stamp = stampFile(kept);
  return stamp !== absentStamp && printOfStamp(stamp) !== print;
}

/** Links and renames change only the time of a file's entry, so that is left out. */
export function printOfStamp(stamp: FileStamp): string {
  const [size, modified, , inode] = stamp.split(":");
  return stamp === absentStamp ? "0" : `${size}-${modified}-${inode}`;
}

/** So many stay whatever their age; beyond them, those of the last minute do. */
const maxKept = 32;
const minAgeMs = 60_000;
const maxKeptBytes = 64 * 1024 * 1024;
const leftoverAgeMs = 10 * 60_000;

/** Removes what nobody can be writing to any more, and what killed writers left. */
export function pruneEntries(entries: readonly KeptEntry[]): void {
  const ageOf = ({ time }: KeptEntry) => Math.abs(Date.now() - time);
  let [count, bytes] = [0, 0];
  for (const entry of entries.toReversed()) {
    if (entry.kept === undefined) {
      if (ageOf(entry) > leftoverAgeMs) removeEntry(entry);
      continue;
    }
    if (entry.fresh !== undefined) continue;
    count += 1;
    bytes += 2 * Number(entry.print.split("-")[0]);
    const isMany = count > maxKept && ageOf(entry) > minAgeMs;
    if (isMany || (bytes > maxKeptBytes && count > 1)) removeEntry(entry);
  }
}

export function findStats(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
