import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../domain/ralph-error.js";
import { makePrivateDirectory, makePrivateFile } from "../../files/private-directory.js";
import { backupDirectory, backupPath } from "./backup-path.js";
import type { SqliteConnection } from "./sqlite-connection.js";

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
  const path = backupPath(directory, now);
  makePrivateDirectory(backupDirectory(directory));
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makePrivateFile(temporary);
    await connection.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
    const file = openSync(temporary, "r+");
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  for (const old of listBackups(directory).slice(keptBackups)) rmSync(old, { force: true });
}
