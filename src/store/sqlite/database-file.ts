import { rmSync, type Stats } from "node:fs";
import { RalphError } from "../../domain/ralph-error.js";
import { findStats } from "../../files/find-stats.js";

/** What tells a file from another one that takes its name. Declared without Node's types, which users of the library may not have. */
export interface FileIdentity {
  dev: number;
  ino: number;
  size: number;
}

/** Looks at a file without opening it; undefined if there is none. */
export function lookAt(path: string): FileIdentity | undefined {
  return findStats(path);
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** Before another file takes the name: the log of the old one must not be applied to it. */
export function removeLog(path: string): void {
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

/** Whether there is no database yet. Refuses what is no file: SQLite would wait for a pipe, or read a device for good. */
export function isDatabaseMissing(path: string): boolean {
  const found = findStats(path);
  if (found !== undefined && !found.isFile()) {
    throw new RalphError("file-unusable", `Expected a database file, found ${kindOf(found)}: ${path}`, {
      hint: "move it away",
    });
  }
  if (found !== undefined && found.size > 0) return false;
  refuseLogWithoutDatabase(path);
  return true;
}

/** SQLite would delete the log of an empty database, and with it the newest records. */
function refuseLogWithoutDatabase(path: string): void {
  if ((lookAt(`${path}-wal`)?.size ?? 0) === 0) return;
  // Another process may have made the database between the two looks; the log comes after it.
  if ((lookAt(path)?.size ?? 0) > 0) return;
  throw new RalphError("store-damaged", `The database is missing, but its log is there: ${path}`, {
    hint: 'run "ralph doctor --repair"; your Markdown files are not affected',
  });
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return "a directory";
  if (found.isFIFO()) return "a pipe";
  return found.isSocket() ? "a socket" : "a device";
}
