import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../../domain/ralph-error.js";
import { makePrivateDirectory, makePrivateFile } from "../../../files/private-directory.js";
import { backupDirectory, backupPath } from "../backup-path.js";
import type { SqliteConnection } from "../sqlite-connection.js";

const maxBackups = 3;
const backupName = /^memory-\d{4}-\d{2}-\d{2}\.db$/;

/** Full paths, newest first. */
export function listBackups(directory: string): string[] {
  try {
    return readdirSync(backupDirectory(directory))
      .filter((name) => backupName.test(name))
      .sort()
      .reverse()
      .map((name) => join(backupDirectory(directory), name));
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw error;
  }
}

/** Writes today's backup and deletes old ones. */
export async function backUp(connection: SqliteConnection, directory: string, now: Date): Promise<void> {
  makePrivateDirectory(backupDirectory(directory));
  await copyTo(connection, backupPath(directory, now));
  for (const old of listBackups(directory).slice(maxBackups)) rmSync(old, { force: true });
}

/** Writes an open database whose file was deleted back to its place. */
export async function restoreFile(
  connection: SqliteConnection,
  directory: string,
  path: string,
): Promise<void> {
  makePrivateDirectory(directory);
  // The old file's log must not be applied to the new file.
  await copyTo(connection, path, () => {
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  });
}

async function copyTo(
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
