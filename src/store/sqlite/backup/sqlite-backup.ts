import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDirectory, makePrivateFile } from "../../../files/private-directory.js";
import { type Backup, backupDirectory, fileNameOf, listBackups } from "../backup-files.js";
import { findAlteredRecords } from "../repair/altered-rows.js";
import type { SqliteConnection } from "../sqlite-connection.js";
import { unlessBusy } from "../sqlite-errors.js";
import { evictable } from "./evictable-backups.js";

/**
 * Writes the next backup, and deletes those that are not needed any more. False if there is nothing to do: another process is about to
 * write one, or has done so by the time that this one could begin.
 */
export async function backUp(
  connection: SqliteConnection,
  directory: string,
  findDue: () => Omit<Backup, "path"> | undefined,
): Promise<boolean> {
  const folder = backupDirectory(directory);
  makePrivateDirectory(folder);
  const begun = join(folder, "begun.tmp");
  if (!(await isFirstToBegin(connection, begun))) return false;
  try {
    const backup = findDue();
    if (backup === undefined) return false;
    const [altered] = await findAlteredRecords(connection.sql);
    // It would push out the backups that hold the record as it was.
    if (altered !== undefined)
      throw new Error(`${altered} does not match its check value; run "ralph doctor"`);
    await copyTo(connection, join(folder, fileNameOf(backup)), { temporary: begun });
  } finally {
    rmSync(begun, { force: true });
  }
  for (const { path } of evictable(listBackups(directory))) rmSync(path, { force: true });
  return true;
}

const tryAgainAfterMs = 60 * 60 * 1000;
/** While others write all the time, the next command makes it. */
const patienceMs = 500;

/**
 * Of the many hooks that see at the same time that a backup is due, one makes it. Whoever is ended meanwhile leaves the file, and it is
 * tried again after an hour: an agent that ends every hook that takes long would wait for each of them. In a transaction, so that
 * nobody takes the place of one who has just taken an old one's.
 */
async function isFirstToBegin(connection: SqliteConnection, path: string): Promise<boolean> {
  const take = async () => {
    const before = statSync(path, { throwIfNoEntry: false });
    // A time in the future is a clock that was wrong.
    if (before !== undefined && Math.abs(Date.now() - before.mtimeMs) < tryAgainAfterMs) return false;
    rmSync(path, { force: true });
    makePrivateFile(path);
    return true;
  };
  return (await connection.transaction(take, { busyTimeoutMs: patienceMs }).catch(unlessBusy)) ?? false;
}

interface CopyOptions {
  /** Where the copy is until it is whole. */
  temporary?: string;
  beforeRename?: () => void;
}

/** A synced copy of an open database, also of one whose file has lost its name. */
export async function copyTo(
  connection: SqliteConnection,
  path: string,
  { temporary = `${path}.${randomUUID()}.tmp`, beforeRename = () => undefined }: CopyOptions = {},
): Promise<void> {
  try {
    makePrivateFile(temporary);
    await connection.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
    const file = openSync(temporary, "r+");
    fsyncSync(file);
    closeSync(file);
    beforeRename();
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
