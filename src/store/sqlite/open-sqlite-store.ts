import { join } from "node:path";
import { isoDate } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import { makePrivateDirectory, makePrivateFile } from "../../files/private-directory.js";
import { derivationVersion, schemaVersion } from "../schema-version.js";
import type { Sql } from "../sql.js";
import type { Repositories, Store } from "../store.js";
import { listBackups } from "./backup-files.js";
import { isDatabaseMissing, isSameFile, lookAt } from "./database-file.js";
import { isBackupDue, measureContent } from "./due-backup.js";
import { refuseForeignSchema } from "./foreign-schema.js";
import { SqliteConnection } from "./sqlite-connection.js";
import { sqliteDialect } from "./sqlite-dialect.js";
import { loadSqliteEngine, type SqliteEngine } from "./sqlite-driver.js";
import { translateSqliteError } from "./sqlite-errors.js";
import { sqliteRepositories } from "./sqlite-repositories.js";
import { emptyDerivation, readVersion, writeVersion } from "./sqlite-version.js";

export interface OpenSqliteStoreOptions {
  /** The folder that holds the database and its backups. */
  directory: string;
  /** How long to retry while another process writes. */
  busyTimeoutMs?: number;
  /** Keeps everything in memory, for read-only folders. */
  isInMemory?: boolean;
  /** Creates a new database even if there are backups of an older one. */
  isFresh?: boolean;
  /** Fills a new database in the transaction that creates its tables. */
  fillNew?: (tx: Repositories) => Promise<void>;
}

// A long busy_timeout would block Ctrl-C. No memory mapping: a file that is truncated under a mapping ends the process.
const connectionSettings = `
  PRAGMA busy_timeout = 50;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
`;

/** The next process to open the database has to read the write-ahead log, so a longer log is emptied on exit. */
const maxLogBytes = 512 * 1024;

export function sqlitePath(directory: string): string {
  return join(directory, "memory.db");
}

/** Opens the store in a folder; creates or migrates it if needed. */
export async function openSqliteStore(options: OpenSqliteStoreOptions): Promise<Store> {
  const { directory, busyTimeoutMs = 30_000, isInMemory = false, isFresh = false, fillNew } = options;
  const path = isInMemory ? ":memory:" : sqlitePath(directory);
  if (!isInMemory && isDatabaseMissing(path)) makeDatabaseFile(directory, path, isFresh);
  const engine = await loadSqliteEngine();
  const before = isInMemory ? undefined : lookAt(path);
  const connection = connect(engine, path, busyTimeoutMs);
  try {
    await connection.exec(connectionSettings);
    await migrate(connection, path, fillNew);
    // A copy of a backup does not write ahead; SQLite makes the log with the first look into the database after that.
    if (!isInMemory && lookAt(`${path}-wal`) === undefined) {
      await connection.exec("PRAGMA journal_mode = WAL");
      await readVersion(connection.sql);
    }
  } catch (error) {
    await connection.close();
    throw error;
  }
  const opened = isInMemory ? undefined : { database: lookAt(path), log: lookAt(`${path}-wal`) };
  // Replaced while it was opened: nobody knows which of the two this is.
  if (opened !== undefined && !isSameFile(before, opened.database)) return openSqliteStore(options);
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
  return {
    ...sqliteRepositories(connection.sql, {
      onRecord,
      inTransaction: (work) => connection.transaction(work),
    }),
    withoutWaiting: () =>
      sqliteRepositories(connection.impatientSql, {
        onRecord,
        inTransaction: (work) => connection.transaction(work, 0),
      }),
    transaction: (work) => connection.transaction((sql) => work(sqliteRepositories(sql, { onRecord }))),
    async backUpIfDue(now) {
      const [newest] = listBackups(directory);
      const date = isoDate(now);
      if (newest?.date === date && !hasRecorded) return;
      const content = await measureContent(connection.sql);
      if (!isBackupDue(newest, date, content)) return;
      const { backUp } = await import("./backup/sqlite-backup.js");
      await backUp(connection, directory, { generation: (newest?.generation ?? 0) + 1, date, content });
    },
    isInPlace,
    async rescue() {
      if (opened?.database === undefined) return { kind: "kept" };
      const { rescueRecords } = await import("./repair/rescue-records.js");
      const { database, log } = opened;
      const { hasWritten } = connection;
      const rescue = await rescueRecords({ engine, connection, directory, path, database, log, hasWritten });
      if (rescue.kind === "kept") size = lookAt(path)?.size ?? 0;
      return rescue;
    },
    findDamage: async () => (await import("./repair/find-damage.js")).findDamage(connection.sql),
    async findLacking() {
      if (isInMemory) return undefined;
      const { findLackingRecords } = await import("./repair/lacking-records.js");
      const lacking = findLackingRecords(engine, path, directory);
      return lacking && { count: lacking.count, date: lacking.backup.date };
    },
    async scrubRecords(change, options) {
      const { scrubRecords } = await import("./repair/scrub-records.js");
      const work = (sql: Sql) => scrubRecords(sql, change, options);
      return options.isWritten ? connection.transaction(work) : work(connection.sql);
    },
    async compact() {
      await connection.exec("VACUUM");
      await emptyLog(connection);
    },
    async describe() {
      const row = await connection.sql.get<{ version: string }>("SELECT sqlite_version() AS version");
      return {
        location: path,
        engine: `SQLite ${row?.version} (${engine.name})`,
        schemaVersion,
        backups: listBackups(directory).map((backup) => backup.path),
      };
    },
    async close() {
      if (!isInPlace()) return;
      // Closing empties the log too, but only after the last statement has been garbage-collected.
      await emptyLog(connection);
      await connection.close();
    },
    async leave() {
      if (!isInPlace()) return;
      const log = lookAt(`${path}-wal`);
      if (log !== undefined && log.size > maxLogBytes) await emptyLog(connection);
    },
  };
}

/** Moves the write-ahead log into the database. If that fails, the log keeps the data safe. */
async function emptyLog(connection: SqliteConnection): Promise<void> {
  await connection.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
}

/** A database that has backups existed before and must not be replaced by an empty one. */
function makeDatabaseFile(directory: string, path: string, isFresh: boolean): void {
  const [backup] = listBackups(directory);
  if (backup !== undefined && !isFresh) {
    throw new RalphError("store-damaged", `The database is missing: ${path}`, {
      hint: 'run "ralph doctor --repair" to restore its backup; your Markdown files are not affected',
    });
  }
  makePrivateDirectory(directory);
  makePrivateFile(path);
}

function connect(engine: SqliteEngine, path: string, busyTimeoutMs: number): SqliteConnection {
  try {
    return new SqliteConnection(engine.open(path), { path, busyTimeoutMs });
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

async function migrate(
  connection: SqliteConnection,
  path: string,
  fillNew: OpenSqliteStoreOptions["fillNew"],
): Promise<void> {
  const { schema, derivation } = await readVersion(connection.sql);
  await refuseForeignSchema(connection.sql, path);
  if (schema === schemaVersion && (derivation === derivationVersion || derivation === emptyDerivation))
    return;
  if (schema > schemaVersion) {
    const message = `${path} was made by a newer Ralph (schema ${schema}; this version supports up to ${schemaVersion})`;
    throw new RalphError("store-too-new", message, { hint: 'update with "npm install -g ralph-memory"' });
  }
  if (schema < 0) {
    throw new RalphError("store-damaged", `The database has no valid version: ${path}`, {
      hint: 'run "ralph doctor --repair"; your Markdown files are not affected',
    });
  }
  if (schema === 0) await connection.exec("PRAGMA journal_mode = WAL");
  const { allMigrations } = await import("../migrations/all-migrations.js");
  await connection.transaction(async (sql) => {
    // Another process may have migrated between the check above and the lock.
    const current = await readVersion(sql);
    for (const migration of allMigrations.slice(current.schema)) await migration.up(sql, sqliteDialect);
    if (current.schema === 0) {
      await writeVersion(sql, { schema: schemaVersion, derivation: derivationVersion });
      await fillNew?.(sqliteRepositories(sql));
    } else if (current.derivation !== derivationVersion) await sqliteRepositories(sql).resetDerived();
    else await writeVersion(sql, { schema: schemaVersion, derivation: current.derivation });
  });
}
