import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { isoDate } from "../../domain/clock.js";
import { makePrivateDirectory } from "../../files/private-directory.js";
import { schemaVersion } from "../schema-version.js";
import type { Sql } from "../sql.js";
import type { Store } from "../store.js";
import { backUp, copyDatabase, isBackupDue, listBackups, measureContent } from "./backups.js";
import { isSameFile, lookAt, removeLog } from "./database-file.js";
import { countFrequentWords } from "./lexical/fts5-query.js";
import { mergeFts5Index } from "./lexical/lexical-fts5.js";
import { type OpenConnectionOptions, type OpenedConnection, openConnection } from "./open-connection.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { loadSqliteEngine } from "./sqlite-driver.js";
import { unlessBusy } from "./sqlite-errors.js";
import { sqliteRepositories } from "./sqlite-repositories.js";

/** The next process to open the database has to read the write-ahead log, so a longer log is emptied on exit. */
const maxLogBytes = 512 * 1024;
/** A backup of so much takes a fifth of a second. */
const quicklyCopiedBytes = 16 * 1024 * 1024;

export function sqlitePath(directory: string): string {
  return join(directory, "memory.db");
}

/** Opens the store in a folder; creates or migrates it if needed. */
export async function openSqliteStore(options: OpenConnectionOptions): Promise<Store> {
  const { directory, isInMemory = false } = options;
  const path = isInMemory ? ":memory:" : sqlitePath(directory);
  const engine = await loadSqliteEngine();
  const { connection, files: opened } = await openConnection(engine, path, options);
  let size = opened?.database?.size ?? 0;
  let hasRecorded = false;
  const onRecord = () => {
    hasRecorded = true;
  };
  const isInPlace = (): boolean => {
    if (opened === undefined) return true;
    const found = lookAt(path);
    if (!isSameFile(found, opened.database) || !isSameFile(lookAt(`${path}-wal`), opened.log)) return false;
    const isWhole = (found?.size ?? 0) >= size;
    if (isWhole) size = found?.size ?? 0;
    return isWhole;
  };
  const store: Store = {
    ...sqliteRepositories(connection.sql, onRecord),
    withoutWaiting: () => sqliteRepositories(connection.impatientSql, onRecord),
    transaction: (work, options) =>
      connection.transaction((sql) => work(sqliteRepositories(sql, onRecord)), options),
    async backUpIfDue(now, { isAwaited = false } = {}) {
      if (isAwaited && (lookAt(path)?.size ?? 0) > quicklyCopiedBytes) return;
      const date = isoDate(now);
      if (listBackups(directory)[0]?.date === date && !hasRecorded) return;
      const content = await measureContent(connection.sql);
      const findDue = () => {
        const [newest] = listBackups(directory);
        const isDue = isBackupDue(newest, date, content);
        return isDue ? { generation: (newest?.generation ?? 0) + 1, date, content } : undefined;
      };
      if (findDue() !== undefined && (await backUp(connection, directory, findDue)))
        await tendIndex(connection, isAwaited ? countFrequentWords : mergeFts5Index);
    },
    isInPlace,
    reclaim: () => reclaim(connection, path, opened),
    findDamage: async () => (await import("./repair/find-damage.js")).findDamage(connection.sql),
    async scrubRecords(change, options) {
      const { scrubRecords } = await import("./repair/scrub-records.js");
      const work = (sql: Sql) => scrubRecords(sql, change, options);
      return options.isWritten ? connection.transaction(work) : work(connection.sql);
    },
    async compact() {
      await connection.exec("VACUUM");
      await emptyLog(connection);
    },
    onThisMachine: () => store,
    async describe() {
      const row = await connection.sql.get<{ version: string }>("SELECT sqlite_version() AS version");
      return {
        location: path,
        engine: `SQLite ${row?.version} (${engine.name})`,
        schemaVersion,
        backups: listBackups(directory).map((backup) => backup.path),
      };
    },
    async rowSides() {
      const { sqliteRowSide } = await import("./sqlite-row-side.js");
      return [sqliteRowSide({ engine, connection, path, isInMemory, onRecord })];
    },
    async close() {
      if (!isInPlace()) return connection.abandon();
      // Closing empties the log too, but only after the last statement has been garbage-collected.
      await emptyLog(connection);
      await connection.close();
    },
    async leave() {
      if (!isInPlace()) return connection.abandon();
      const log = lookAt(`${path}-wal`);
      if (log !== undefined && log.size > maxLogBytes) await emptyLog(connection);
    },
  };
  return store;
}

/** Behind a backup, which has read all of the database. Other writers go first; then it is done with the next backup. */
async function tendIndex(connection: SqliteConnection, work: (sql: Sql) => Promise<void>): Promise<void> {
  const options = { busyTimeoutMs: 0, isRebuildable: true };
  await connection.transaction(work, options).catch(unlessBusy);
}

/** Moves the write-ahead log into the database. If that fails, the log keeps the data safe. */
async function emptyLog(connection: SqliteConnection): Promise<void> {
  await connection.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
}

/** See `Store.reclaim`. The connection still reads the files that it opened. */
async function reclaim(
  connection: SqliteConnection,
  path: string,
  opened: OpenedConnection["files"],
): ReturnType<Store["reclaim"]> {
  connection.abandon();
  const [found, log] = [lookAt(path), lookAt(`${path}-wal`)];
  const isOurs = isSameFile(found, opened?.database);
  if (found === undefined || (isOurs && log === undefined)) {
    await writeAgain(connection, path);
    return "restored";
  }
  const isOurLog = isSameFile(log, opened?.log);
  // Ours with our log was cut, which SQLite reports by itself.
  if (isOurs) return isOurLog ? "replaced" : "lost";
  // SQLite would apply it to the newcomer.
  if (isOurLog) removeLog(path);
  return connection.hasWritten ? "lost" : "replaced";
}

/** As a new file: connections of one process share what they know of a file's log, even after they were closed. */
async function writeAgain(connection: SqliteConnection, path: string): Promise<void> {
  makePrivateDirectory(join(path, ".."));
  const copy = `${path}.${randomUUID()}.tmp`;
  await copyDatabase(connection, copy);
  removeLog(path);
  renameSync(copy, path);
}
