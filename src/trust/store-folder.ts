import { randomUUID } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { sha256 } from "../domain/sha256.js";
import { fileProblem, withFileErrors } from "../files/file-problem.js";
import { makeFolder } from "../files/make-folder.js";
import { isInside } from "../files/path-inside.js";
import { makePrivateDirectory, protectDirectory } from "../files/private-directory.js";
import { maxSmallFileBytes, readRegularFile } from "../files/read-regular-file.js";
import { isTrackedByGit } from "./tracked-by-git.js";

/** Where the records of a project are stored. */
export interface StoreFolder {
  path: string;
  /** The project's `.ralph/` if someone else made it: the records are then stored in the user's own folder. */
  foreign?: string;
}

export interface StoreFolderOptions {
  ralphHome: string;
  /** Whether the user trusts the whole project. */
  isTrusted: boolean;
  /** Whether a link stays in the project, or the user allowed it. */
  isLinkAllowed(path: string): boolean;
}

const markName = "mark";
const asideName = "projects";
const markPattern = /^[0-9a-f-]{36}\n$/;

/**
 * Decides which folder holds a project's records, before anything in it is opened. A `.ralph/` is the user's own if it contains a mark that
 * is also in the user's folder, and git does not track it. Nothing in any other one is opened: its journals would make SQLite change or
 * delete files, and its links may lead anywhere.
 */
export function findStoreFolder(home: string, options: StoreFolderOptions): StoreFolder {
  const inProject = join(home, ".ralph");
  if (inProject === options.ralphHome) return { path: inProject };
  const owner = options.isTrusted ? "user" : ownerOf(inProject, options);
  if (owner !== "user") {
    const aside = asideFolder(options.ralphHome, home);
    if (owner === "foreign") return { path: aside, foreign: inProject };
    // A foreign folder existed when the first record was made.
    if (lstatSync(aside, { throwIfNoEntry: false })?.isDirectory()) return { path: aside };
  }
  refuseSpecialFiles(inProject, home);
  return { path: inProject };
}

/** The folder, in the user's own, for a project with a foreign `.ralph/`. */
function asideFolder(ralphHome: string, home: string): string {
  return join(ralphHome, asideName, sha256(home).slice(0, 32));
}

/** Makes the folder with the user's mark, which is written before any record, so that a kill leaves no unmarked ones. */
export function makeStoreFolder(path: string, { ralphHome, isTrusted }: StoreFolderOptions): void {
  makeFolder(path, 0o700);
  const isOutsideProjects = path === ralphHome || isInside(join(ralphHome, asideName), path);
  if (isOutsideProjects) makePrivateDirectory(path);
  if (isOutsideProjects || readMark(path) !== undefined) return;
  protectDirectory(path);
  try {
    addMark(path, ralphHome);
  } catch (error) {
    if (!isTrusted || !(error instanceof RalphError)) throw error;
  }
}

function addMark(path: string, ralphHome: string): void {
  const mark = randomUUID();
  makeFolder(marksFolder(ralphHome), 0o700);
  const write = (file: string, text: string) =>
    withFileErrors(file, () => writeFileSync(file, `${text}\n`, { flag: "wx", mode: 0o600 }));
  write(join(marksFolder(ralphHome), mark), path);
  try {
    write(join(path, markName), mark);
  } catch (error) {
    // Another process of the user was faster.
    if (readMark(path) === undefined) throw error;
  }
}

function marksFolder(ralphHome: string): string {
  return join(ralphHome, "marks");
}

function ownerOf(
  path: string,
  { ralphHome, isLinkAllowed }: StoreFolderOptions,
): "user" | "none" | "foreign" {
  const stats = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return "none";
  if (stats.isSymbolicLink() ? !isLinkAllowed(path) : !stats.isDirectory()) return "foreign";
  const mark = readMark(path);
  if (mark === undefined) return isEmpty(path) ? "none" : "foreign";
  const isKnown = lstatSync(join(marksFolder(ralphHome), mark), { throwIfNoEntry: false }) !== undefined;
  return isKnown && isOwnedByUser(stats.uid) && !isTrackedByGit(path) ? "user" : "foreign";
}

function isOwnedByUser(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function readMark(folder: string): string | undefined {
  const path = join(folder, markName);
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
    const text = readRegularFile(path, { maxBytes: maxSmallFileBytes }).toString("utf8");
    return markPattern.test(text) ? text.trimEnd() : undefined;
  } catch (error) {
    if (isSystemError(error, "ENOTDIR")) return undefined;
    throw fileProblem(path, error);
  }
}

/** A new folder has at most a `.gitignore`. */
function isEmpty(folder: string): boolean {
  return entriesOf(folder).every((entry) => entry.name === ".gitignore" && entry.isFile());
}

const deepest = 3;
const mostEntries = 5_000;

/** Links lead anywhere, and opening a pipe or a device may block forever. */
function refuseSpecialFiles(folder: string, home: string): void {
  let count = 0;
  const look = (path: string, depth: number): void => {
    for (const entry of entriesOf(path)) {
      const found = join(path, entry.name);
      count += 1;
      if (count > mostEntries) throw unusable(`${relative(home, folder)} holds too many files`);
      if (!entry.isFile() && !entry.isDirectory())
        throw unusable(`${relative(home, found)} is not a regular file`);
      if (entry.isDirectory() && depth < deepest) look(found, depth + 1);
    }
  };
  look(folder, 1);
}

function unusable(message: string): RalphError {
  return new RalphError("file-unusable", message, {
    hint: "something other than Ralph put it there: move it away",
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return [];
    throw fileProblem(folder, error);
  }
}
