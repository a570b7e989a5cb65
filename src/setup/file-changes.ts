import { rmdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { type FileStamp, stampFile } from "../files/file-stamp.js";
import { isInside } from "../files/path-inside.js";
import { readFileSnapshot } from "../files/read-file.js";
import { maxGivenBytes } from "../files/read-regular-file.js";
import { replaceIfUnchanged } from "../files/replace-file.js";
import { compareLines } from "../text/line-diff.js";
import type { Places } from "./agent-files.js";

/** A file before and after the change; undefined if it does not exist. */
export interface FileChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
  stamp: FileStamp;
}

/** Files that are edited in memory, each read once. `check` throws for a path that must not be written. */
export function openFiles(check: (path: string) => void): {
  open(path: string): FileChange;
  changes(): FileChange[];
} {
  const files = new Map<string, FileChange>();
  return {
    open(path) {
      const known = files.get(path);
      if (known !== undefined) return known;
      check(path);
      const { text, stamp } = readText(path);
      const file = { path, before: text, after: text, stamp };
      files.set(path, file);
      return file;
    },
    changes: () => [...files.values()].filter(({ before, after }) => before !== after),
  };
}

/** The text of a file; rejects one that is not UTF-8, because it could not be written back unchanged. */
export function readText(path: string): { text: string | undefined; stamp: FileStamp } {
  const { bytes, stamp } = readFileSnapshot(path, { maxBytes: maxGivenBytes });
  const text = bytes?.toString("utf8");
  if (bytes === undefined || text === undefined || Buffer.from(text).equals(bytes)) return { text, stamp };
  throw new RalphError("file-unusable", `${path} is not UTF-8`, { hint: "correct it; nothing was changed" });
}

/** Writes the planned changes; reports an error for a file that was saved since, and leaves it alone. */
export function writeChanges(changes: readonly FileChange[], { base }: { base: string }): void {
  for (const { path, after, stamp } of changes) {
    if (after === undefined) removeFile(path, stamp, base);
    else if (replaceIfUnchanged(path, [Buffer.from(after)], stamp) === undefined) throw changed(path);
  }
}

function removeFile(path: string, stamp: string, base: string): void {
  if (stampFile(path) !== stamp) throw changed(path);
  withFileErrors(path, () => rmSync(path));
  for (let folder = dirname(path); folder !== base && isInside(base, folder); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (isSystemError(error, "ENOTEMPTY", "EEXIST", "EACCES", "EPERM", "EBUSY", "ENOTDIR", "ENOENT"))
        return;
      throw error;
    }
  }
}

function changed(path: string): RalphError {
  return new RalphError("file-unusable", `${path} was changed by another program just now`, {
    hint: "run ralph setup again",
  });
}

const contextLines = 2;

/** A change as a diff: lines with `-` and `+`, and a few around them. */
export function renderDiff({ before, after }: Pick<FileChange, "before" | "after">, name: string): string {
  const steps = compareLines(withoutReturns(before), withoutReturns(after));
  const isNear = (index: number) =>
    steps
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ kind }) => kind !== "same");
  const marks = { same: " ", removed: "-", added: "+" };
  const lines: string[] = [];
  let isOpen = true;
  for (const [index, { kind, line }] of steps.entries()) {
    const isShown = isNear(index);
    if (isShown) lines.push(`${marks[kind]} ${line}`);
    else if (isOpen) lines.push("  …");
    isOpen = isShown;
  }
  const what = before === undefined ? " (new)" : after === undefined ? " (removed)" : "";
  return `${name}${what}\n${lines.map((line) => `${line}\n`).join("")}`;
}

function withoutReturns(text = ""): string {
  return text.replaceAll("\r\n", "\n");
}

/** A path for display: relative to the project's folder or the home folder. */
export function shortPath(path: string, { root, home }: Pick<Places, "root" | "home">): string {
  if (isInside(root, path)) return relative(root, path);
  return isInside(home, path) ? join("~", relative(home, path)) : path;
}
