import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Of each name below a folder: kind, mode, size, time of the last change and content. */
export type FolderPrint = Map<string, string>;

/** Links are not followed. */
export function printFolder(folder: string, leftOut: readonly string[] = []): FolderPrint {
  const print: FolderPrint = new Map();
  const visit = (below: string) => {
    const path = join(folder, below);
    const stats = lstatSync(path, { bigint: true });
    const content = stats.isFile()
      ? createHash("sha1").update(readFileSync(path)).digest("hex")
      : stats.isSymbolicLink()
        ? readlinkSync(path)
        : "";
    print.set(below, [stats.mode.toString(8), stats.size, stats.mtimeNs, stats.ino, content].join(" "));
    if (!stats.isDirectory()) return;
    for (const name of readdirSync(path)) if (!leftOut.includes(join(below, name))) visit(join(below, name));
  };
  visit("");
  return print;
}

/** What became of each name that is not as it was. */
export function comparePrints(before: FolderPrint, after: FolderPrint): string[] {
  const changes: string[] = [];
  for (const [name, print] of before) {
    const now = after.get(name);
    if (now === undefined) changes.push(`deleted ${name}`);
    else if (now !== print) changes.push(`changed ${name}: ${nameChange(print, now)}`);
  }
  for (const name of after.keys()) if (!before.has(name)) changes.push(`created ${name}`);
  return changes;
}

const parts = ["mode", "size", "time", "file", "content"];

function nameChange(before: string, after: string): string {
  const [was, is] = [before.split(" "), after.split(" ")];
  return parts.filter((_, index) => was[index] !== is[index]).join(", ");
}

/** The plain files below a folder that contain a word. */
export function filesWith(folder: string, word: string): string[] {
  const found: string[] = [];
  const visit = (below: string) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = join(below, entry.name);
      if (entry.isDirectory()) visitIfOpen(path);
      else if (entry.isFile() && lstatSync(join(folder, path)).size < mostBytes && holds(path))
        found.push(path);
    }
  };
  const visitIfOpen = (path: string) => {
    try {
      visit(path);
    } catch {
      // It may not be entered.
    }
  };
  const holds = (path: string) => {
    try {
      return readFileSync(join(folder, path)).includes(word);
    } catch {
      return false;
    }
  };
  visitIfOpen("");
  return found;
}

const mostBytes = 16 * 1024 * 1024;
