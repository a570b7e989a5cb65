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

/** One replacement: the new file until it has the name, the file that had it, and how to tell what that file contained. */
export interface KeptEntry {
  folder: string;
  /** When, and by which process; sorts by time. */
  token: string;
  fresh?: string | undefined;
  kept?: string | undefined;
  /** A copy of what was read. Without one, it is what an earlier replacement had written. */
  base?: string | undefined;
  /** What Ralph changed. */
  edit?: KeptEdit | undefined;
  /** A copy of what somebody wrote to the kept file and that has been merged. */
  seen?: string | undefined;
  /** Such copies that killed writers did not finish. */
  drafts?: string[];
  /** Of the kept file when it was read, or when it was merged. */
  print: string;
}

/** A file that tells what to change in the content that had one print, to get the content that has the other. */
export interface KeptEdit {
  path: string;
  from: string;
  to: string;
}

/** An entry whose first files are named, whether they exist yet or not. */
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
  return (folder === storeName || folder === besideName) && /\.(?:kept|base|edit|seen|draft|new)$/.test(path);
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
  const path = pathsIn(folder, token);
  return { folder, token, print, fresh: path("new"), kept: path(`${print}.kept`), base: path("base") };
}

/** What leads from the file that an entry keeps to the one that replaces it. */
export function newEdit({ folder, token, print }: NewEntry, replacement: FileStamp): KeptEdit {
  const to = printOfStamp(replacement);
  return { path: pathsIn(folder, token)(`${print}.${to}.edit`), from: print, to };
}

/** Names that only the files of one entry have. */
export function pathsIn(folder: string, token: string): (rest: string) => string {
  return (rest) => join(folder, `${token}.${rest}`);
}

export function writerOf({ token }: KeptEntry): number {
  return Number(token.split("-")[1]);
}

/** Oldest first. */
export function listEntries({ inStore, beside }: KeptFolders): KeptEntry[] {
  const entries = [inStore, beside].flatMap((folder) => (folder === undefined ? [] : entriesIn(folder)));
  return entries.sort((one, other) => (one.token < other.token ? -1 : 1));
}

/** Those of one folder; what is no plain file, such as a link that a repository brought, is none of ours. */
export function entriesIn(folder: string): KeptEntry[] {
  if (!existsSync(folder)) return [];
  refuseLinks(folder);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const entries = new Map<string, KeptEntry>();
  for (const name of files.map((file) => file.name).sort()) addName(entries, folder, name);
  return [...entries.values()];
}

function addName(entries: Map<string, KeptEntry>, folder: string, name: string): void {
  const dot = name.indexOf(".");
  if (dot < 1) return;
  const [token, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  const entry: KeptEntry = entries.get(token) ?? { folder, token, print: "" };
  const path = `${folder}/${name}`;
  if (rest === "new") entry.fresh = path;
  else if (rest === "base") entry.base = path;
  else if (rest === "seen") entry.seen = path;
  else if (rest.endsWith(".draft")) entry.drafts = [...(entry.drafts ?? []), path];
  else if (rest.endsWith(".kept")) Object.assign(entry, { kept: path, print: rest.slice(0, -5) });
  else if (rest.endsWith(".edit")) {
    const [from = "", to = ""] = rest.split(".");
    entry.edit = { path, from, to };
  }
  entries.set(token, entry);
}

/** Between its two steps: the name is free, or somebody else has it. */
export function isOpen({ fresh, kept }: KeptEntry): boolean {
  return fresh !== undefined && kept !== undefined;
}

export function removeEntry(entry: KeptEntry): void {
  for (const path of pathsOf(entry)) removeFile(path);
}

/** The same by another thread: to remove a large file takes as long as to write it. */
export async function removeEntryBeside(entry: KeptEntry): Promise<void> {
  await Promise.all(pathsOf(entry).map(removeBeside));
}

function pathsOf({ kept, base, seen, drafts = [], edit, fresh }: KeptEntry): string[] {
  return [kept, base, seen, ...drafts, edit?.path, fresh].filter((path) => path !== undefined);
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

export function sizeOfPrint(print: string): number {
  return Number(print.split("-")[0]);
}

/** Links and renames change only the time of a file's entry, so that is left out. */
export function printOfStamp(stamp: FileStamp): string {
  const [size, modified, , inode] = stamp.split(":");
  return stamp === absentStamp ? "0" : `${size}-${modified}-${inode}`;
}

export function findStats(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
