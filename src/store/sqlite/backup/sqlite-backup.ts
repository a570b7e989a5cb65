import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDirectory, makePrivateFile } from "../../../files/private-directory.js";
import { type Backup, backupDirectory, fileNameOf, listBackups } from "../backup-files.js";
import { findAlteredRecords } from "../repair/altered-rows.js";
import type { SqliteConnection } from "../sqlite-connection.js";
import { evictable } from "./evictable-backups.js";

/** Writes the next backup, and deletes those that are not needed any more. */
export async function backUp(
  connection: SqliteConnection,
  directory: string,
  backup: Omit<Backup, "path">,
): Promise<void> {
  const [altered] = await findAlteredRecords(connection.sql);
  // It would push out the backups that hold the record as it was.
  if (altered !== undefined) throw new Error(`${altered} does not match its check value; run "ralph doctor"`);
  const folder = backupDirectory(directory);
  makePrivateDirectory(folder);
  await copyTo(connection, join(folder, fileNameOf(backup)));
  for (const { path } of evictable(listBackups(directory))) rmSync(path, { force: true });
}

/** A synced copy of an open database, also of one whose file has lost its name. */
export async function copyTo(
  connection: SqliteConnection,
  path: string,
  beforeRename: () => void = () => undefined,
): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
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
