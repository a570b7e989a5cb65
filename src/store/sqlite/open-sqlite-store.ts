import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { makePrivateDirectory, makePrivateFile } from "../../files/private-directory.js";
import { schemaVersion } from "../migrations/schema-version.js";
import type { Sql } from "../sql.js";
import type { Store } from "../store.js";
import { backupPath } from "./backup-path.js";
import { createFts5Index } from "./lexical-fts5.js";
import { SqliteConnection } from "./sqlite-connection.js";
import { loadSqliteEngine, type SqliteEngine } from "./sqlite-driver.js";
import { translateSqliteError } from "./sqlite-errors.js";
import { sqliteRepositories } from "./sqlite-repositories.js";

export interface OpenSqliteStoreOptions {
  /** The folder that holds the database and its backups. */
  directory: string;
  /** How long to go on trying while other processes write. */
  patienceMs?: number;
}

// A long busy_timeout would block Ctrl-C. Memory mapping halves the time of reading many records.
const connectionSettings = `
  PRAGMA busy_timeout = 50;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA mmap_size = ${256 * 1024 * 1024};
`;

/** A process that opens the database alone has to read the write-ahead log that others left. */
const longLogBytes = 512 * 1024;

export function sqlitePath(directory: string): string {
  return join(directory, "memory.db");
}

/** Opens the store in a folder, making or migrating it where needed. */
export async function openSqliteStore({
  directory,
  patienceMs = 30_000,
}: OpenSqliteStoreOptions): Promise<Store> {
  const path = sqlitePath(directory);
  if (!existsSync(path)) {
    makePrivateDirectory(directory);
    makePrivateFile(path);
  }
  const engine = await loadSqliteEngine();
  const connection = connect(engine, path, patienceMs);
  try {
    await connection.exec(connectionSettings);
    await migrate(connection, path);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    ...sqliteRepositories(connection.sql),
    transaction: (work) => connection.transaction((sql) => work(sqliteRepositories(sql))),
    async backUpIfDue(now) {
      if (existsSync(backupPath(directory, now))) return;
      await (await import("./sqlite-backup.js")).backUp(connection, directory, now);
    },
    async findDamage() {
      const rows = await connection.sql.all<{ integrity_check: string }>("PRAGMA integrity_check");
      return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
    },
    async describe() {
      const row = await connection.sql.get<{ version: string }>("SELECT sqlite_version() AS version");
      return {
        location: path,
        engine: `SQLite ${row?.version} (${engine.name})`,
        schemaVersion: await versionOf(connection.sql),
        backups: (await import("./sqlite-backup.js")).listBackups(directory),
      };
    },
    async close() {
      // Closing empties the log too, but not before the last statement has been collected as garbage.
      await emptyLog(connection);
      await connection.close();
    },
    async leave() {
      const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
      if (log !== undefined && log.size > longLogBytes) await emptyLog(connection);
    },
  };
}

/** Moves what the write-ahead log holds into the database. Where that fails, the log keeps it safe. */
async function emptyLog(connection: SqliteConnection): Promise<void> {
  await connection.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
}

function connect(engine: SqliteEngine, path: string, patienceMs: number): SqliteConnection {
  try {
    return new SqliteConnection(engine.open(path), { path, patienceMs });
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

async function migrate(connection: SqliteConnection, path: string): Promise<void> {
  const version = await versionOf(connection.sql);
  if (version === schemaVersion) return;
  if (version > schemaVersion) {
    const message = `${path} was made by a newer Ralph (schema ${version}, this one knows ${schemaVersion})`;
    throw new RalphError("store-too-new", message, { hint: 'update with "npm install -g ralph-memory"' });
  }
  if (version === 0) await connection.exec("PRAGMA journal_mode = WAL");
  const { allMigrations } = await import("../migrations/all-migrations.js");
  await connection.transaction(async (sql) => {
    // Another process may have migrated between the look above and the lock.
    const current = await versionOf(sql);
    for (const migration of allMigrations.slice(current)) {
      await migration.up(sql, { numberedKey: "INTEGER PRIMARY KEY", createLexicalIndex: createFts5Index });
      await sql.run(`PRAGMA user_version = ${migration.version}`);
    }
  });
}

async function versionOf(sql: Sql): Promise<number> {
  return (await sql.get<{ user_version: number }>("PRAGMA user_version"))?.user_version ?? 0;
}
