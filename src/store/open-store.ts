import { statSync } from "node:fs";
import { withFileErrors } from "../files/file-problem.js";
import { backupDirectory } from "./sqlite/backups.js";
import type { OpenConnectionOptions } from "./sqlite/open-connection.js";
import { openSqliteStore, sqlitePath } from "./sqlite/open-sqlite-store.js";
import type { Repair } from "./sqlite/repair/repair-sqlite-store.js";
import type { ChangedColumn, ChangeRecord, Store } from "./store.js";

export type OpenStoreOptions = OpenConnectionOptions;

/** Opens the store in a folder; creates or migrates it if needed. */
export function openStore(options: OpenStoreOptions): Promise<Store> {
  return openSqliteStore(options);
}

/** The database file. */
export function storeFile(directory: string): string {
  return sqlitePath(directory);
}

/** Every file and folder that belongs to the store. */
export function storeFiles(directory: string): string[] {
  const path = storeFile(directory);
  return [...["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix), backupDirectory(directory)];
}

/** Whether there is or was a store. Throws if nobody can tell, because the folder may not be entered. */
export function hasStore(directory: string): boolean {
  // A folder that may not be entered is not one without a store.
  return withFileErrors(directory, () =>
    [storeFile(directory), backupDirectory(directory)].some(
      (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
    ),
  );
}

/** Gives every record of a database file, such as a backup, to `change`; nothing is written. */
export async function searchDatabaseFile(path: string, change: ChangeRecord): Promise<ChangedColumn[]> {
  return (await import("./sqlite/repair/scrub-records.js")).searchDatabaseFile(path, change);
}

/** Makes a damaged store anew from what can be read of it and of its backups. */
export async function repairStore(directory: string): Promise<Repair> {
  const { repairSqliteStore } = await import("./sqlite/repair/repair-sqlite-store.js");
  return repairSqliteStore(directory);
}

/** Damaged databases that repairs kept. */
export async function listKeptDatabases(directory: string): Promise<string[]> {
  const { listKept } = await import("./sqlite/repair/repair-sqlite-store.js");
  return listKept(storeFile(directory));
}

export type { Repair };
