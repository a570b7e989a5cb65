import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "../../files/names-in.js";
import { makePrivateDirectory, makePrivateFile } from "../../files/private-directory.js";
import type { Sql } from "../sql.js";
import type { SqliteConnection } from "./sqlite-connection.js";

/** A backup, by what its name says. The generation orders backups, because the date is only what the clock said. */
export interface Backup {
  path: string;
  generation: number;
  date: string;
  /** See `measureContent`; unknown for the backups of earlier versions. */
  content: number | undefined;
}

const backupName = /^memory-(?:(\d{6,15})-)?([+-]?\d{4,6}-\d{2}-\d{2})(?:-(\d{1,15}))?\.db$/;
const backupsKept = 3;

export function backupDirectory(directory: string): string {
  return join(directory, "backups");
}

/** Newest first. */
export function listBackups(directory: string): Backup[] {
  const folder = backupDirectory(directory);
  return namesIn(folder)
    .flatMap((name): Backup[] => {
      const [path, generation = 0, date = "", content] = backupName.exec(name) ?? [];
      if (path === undefined) return [];
      const size = content === undefined ? undefined : Number(content);
      return [{ path: join(folder, name), generation: Number(generation), date, content: size }];
    })
    .sort((one, other) => other.generation - one.generation || (one.date < other.date ? 1 : -1));
}

/** Tables with numbered rows; they grow with whatever is recorded. */
const numbered = ["tasks", "attempts", "actions", "reflections", "learnings", "briefs", "handoffs", "runs"];

const highestNumbers = `SELECT ${numbered.map((table) => `ifnull((SELECT max(rowid) FROM ${table}), 0)`).join(" + ")} AS content`;

/** How much was recorded: the sum of the highest row numbers. */
export async function measureContent(sql: Sql): Promise<number> {
  return (await sql.get<{ content: number }>(highestNumbers))?.content ?? 0;
}

const fewestNew = 100;
const newShare = 0.05;

/**
 * A backup is due on any other date than the last one's, and when much was recorded since: a large database is copied as a
 * whole. An empty database is never backed up over a filled one.
 */
export function isBackupDue(newest: Backup | undefined, date: string, content: number): boolean {
  if (newest === undefined) return true;
  const before = newest.content ?? 0;
  if (content === 0 && before > 0) return false;
  return newest.date !== date || content - before >= Math.max(fewestNew, before * newShare);
}

/**
 * Makes the next backup and deletes those that are too many. `findDue` is asked again once no other process can be making one.
 * False if there is nothing to do.
 */
export async function backUp(
  connection: SqliteConnection,
  directory: string,
  findDue: () => Omit<Backup, "path"> | undefined,
): Promise<boolean> {
  const folder = backupDirectory(directory);
  makePrivateDirectory(folder);
  const temporary = join(folder, "begun.tmp");
  if (isBegun(temporary)) return false;
  rmSync(temporary, { force: true });
  makePrivateFile(temporary);
  try {
    const due = findDue();
    if (due === undefined) return false;
    const { generation, date, content } = due;
    const name = `memory-${String(generation).padStart(6, "0")}-${date}-${content ?? 0}.db`;
    await copyDatabase(connection, temporary);
    renameSync(temporary, join(folder, name));
  } finally {
    rmSync(temporary, { force: true });
  }
  for (const { path } of listBackups(directory).slice(backupsKept)) rmSync(path, { force: true });
  return true;
}

const tryAgainAfterMs = 60 * 60 * 1000;

/** Whether another process makes a backup, of many hooks that find one due; one that was killed leaves its file. */
function isBegun(path: string): boolean {
  const begun = statSync(path, { throwIfNoEntry: false });
  // A time in the future is a clock that was wrong.
  return begun !== undefined && Math.abs(Date.now() - begun.mtimeMs) < tryAgainAfterMs;
}

/** Writes a synced copy of an open database, also of one whose file was removed, to a new file. */
export async function copyDatabase(connection: SqliteConnection, path: string): Promise<void> {
  makePrivateFile(path);
  await connection.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}
