import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../../domain/ralph-error.js";
import { makePrivateDirectory, makePrivateFile } from "../../../files/private-directory.js";
import { backupDirectory, backupPath } from "../backup-path.js";
import type { SqliteConnection } from "../sqlite-connection.js";

const keptBackups = 3;
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

/** Makes the copy of a day and keeps the newest ones. */
export async function backUp(connection: SqliteConnection, directory: string, now: Date): Promise<void> {
  makePrivateDirectory(backupDirectory(directory));
  await copyTo(connection, backupPath(directory, now));
  for (const old of listBackups(directory).slice(keptBackups)) rmSync(old, { force: true });
}

/** Puts a database whose file was taken away while it was open back in its place, as it is now. */
export async function putBack(connection: SqliteConnection, directory: string, path: string): Promise<void> {
  makePrivateDirectory(directory);
  // A log of the old file would be taken for one of the new file.
  await copyTo(connection, path, () => {
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  });
}

async function copyTo(
  connection: SqliteConnection,
  path: string,
  beforeItIsThere: () => void = () => undefined,
): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makePrivateFile(temporary);
    await connection.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
    const file = openSync(temporary, "r+");
    fsyncSync(file);
    closeSync(file);
    beforeItIsThere();
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
