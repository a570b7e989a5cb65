import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { makeFolder } from "./make-folder.js";
import { maxSmallFileBytes } from "./read-regular-file.js";

/** Creates a directory that only its owner can enter and that git ignores. */
export function makePrivateDirectory(path: string): void {
  makeFolder(path, 0o700);
  createIfMissing(join(path, ".gitignore"), "*\n");
}

/** Like `makePrivateDirectory` for an existing one, which a repository may contain with a `.gitignore` that ignores nothing. */
export function protectDirectory(path: string): void {
  makePrivate(path);
  if (isIgnoredByGit(path)) return;
  const ignoring = join(path, ".gitignore");
  withFileErrors(ignoring, () => rmSync(ignoring, { force: true }));
  createIfMissing(ignoring, "*\n");
}

/** Whether a directory's own `.gitignore` ignores everything in it. */
export function isIgnoredByGit(directory: string): boolean {
  const path = join(directory, ".gitignore");
  return withFileErrors(path, () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Git ignores a `.gitignore` that is a link.
    if (!stats?.isFile() || stats.size > maxSmallFileBytes) return false;
    const lines = readFileSync(path, "utf8").split(/\r?\n/);
    return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
  });
}

/** Cloned or unpacked files are often readable by everybody. */
export function makePrivate(path: string): void {
  if (process.platform === "win32") return;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(path, stats.mode & 0o700);
  } catch (error) {
    if (!isSystemError(error, "EPERM", "EACCES", "EROFS")) throw error;
  }
}

/** Adds a `.gitignore` to a directory, unless it has one. */
export function ignoreInGit(directory: string, patterns: readonly string[]): void {
  createIfMissing(join(directory, ".gitignore"), patterns.map((pattern) => `${pattern}\n`).join(""));
}

/** Creates an empty file that only its owner can read, unless it exists. */
export function makePrivateFile(path: string): void {
  createIfMissing(path, "", 0o600);
}

function createIfMissing(path: string, content: string, mode = 0o644): void {
  withFileErrors(path, () => {
    let file: number;
    try {
      file = openSync(path, "wx", mode);
    } catch (error) {
      if (isSystemError(error, "EEXIST")) return;
      throw error;
    }
    try {
      writeFileSync(file, content);
    } finally {
      closeSync(file);
    }
  });
}
