import { RalphError } from "../../domain/ralph-error.js";
import { makePrivateDirectory, makePrivateFile } from "../../files/private-directory.js";
import { derivationVersion, schemaVersion, tooNew } from "../schema-version.js";
import type { Sql } from "../sql.js";
import type { Repositories } from "../store.js";
import { listBackups } from "./backups.js";
import { type FileIdentity, isDatabaseMissing, isSameFile, lookAt } from "./database-file.js";
import { SqliteConnection } from "./sqlite-connection.js";
import type { SqliteEngine } from "./sqlite-driver.js";
import { translateSqliteError } from "./sqlite-errors.js";
import { emptyDerivation, readVersion, sqliteRepositories, writeVersion } from "./sqlite-repositories.js";

export interface OpenConnectionOptions {
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

export interface OpenedConnection {
  connection: SqliteConnection;
  /** As they were opened; undefined in memory. */
  files: { database: FileIdentity | undefined; log: FileIdentity | undefined } | undefined;
}

// A long busy_timeout would block Ctrl-C. No memory mapping: a file that is truncated under a mapping ends the process.
const connectionSettings = `
  PRAGMA busy_timeout = 50;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
`;

const mostTries = 5;

/** Opens a database, which is created or migrated if needed, and makes sure that it is the one that has the name. */
export async function openConnection(
  engine: SqliteEngine,
  path: string,
  options: OpenConnectionOptions,
): Promise<OpenedConnection> {
  if (options.isInMemory)
    return { connection: await connect(engine, path, options, undefined), files: undefined };
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (isDatabaseMissing(path)) makeDatabaseFile(options.directory, path, options.isFresh ?? false);
    const before = lookAt(path);
    const connection = await connect(engine, path, options, before);
    const database = lookAt(path);
    if (isSameFile(before, database)) return { connection, files: { database, log: lookAt(`${path}-wal`) } };
    // Nobody knows which of the two this is.
    connection.abandon();
  }
  throw new RalphError("file-unusable", `Another file takes its name whenever it is opened: ${path}`, {
    hint: "find out which program replaces it, or move the folder to another disk",
  });
}

async function connect(
  engine: SqliteEngine,
  path: string,
  { busyTimeoutMs = 30_000, isInMemory = false, fillNew }: OpenConnectionOptions,
  file: FileIdentity | undefined,
): Promise<SqliteConnection> {
  const connection = openFile(engine, path, busyTimeoutMs);
  try {
    await connection.exec(connectionSettings);
    await migrate(connection, path, fillNew);
    // A copy of a backup does not write ahead; SQLite makes the log with the first look into the database after that.
    if (!isInMemory && lookAt(`${path}-wal`) === undefined) {
      await connection.exec("PRAGMA journal_mode = WAL");
      await readVersion(connection.sql);
    }
    return connection;
  } catch (error) {
    if (isInMemory || isSameFile(file, lookAt(path))) await connection.close();
    else connection.abandon();
    throw error;
  }
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

function openFile(engine: SqliteEngine, path: string, busyTimeoutMs: number): SqliteConnection {
  try {
    return new SqliteConnection(engine.open(path), { path, busyTimeoutMs });
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

async function migrate(
  connection: SqliteConnection,
  path: string,
  fillNew: OpenConnectionOptions["fillNew"],
): Promise<void> {
  const { schema, derivation } = await readVersion(connection.sql);
  await refuseForeignSchema(connection.sql, path);
  if (schema === schemaVersion && (derivation === derivationVersion || derivation === emptyDerivation))
    return;
  if (schema > schemaVersion) throw tooNew(path, schema);
  if (schema < 0) {
    throw new RalphError("store-damaged", `The database has no valid version: ${path}`, {
      hint: 'run "ralph doctor --repair"; your Markdown files are not affected',
    });
  }
  if (schema === 0) await connection.exec("PRAGMA journal_mode = WAL");
  const { allMigrations } = await import("./migrations/all-migrations.js");
  await connection.transaction(async (sql) => {
    // Another process may have migrated between the check above and the lock.
    const current = await readVersion(sql);
    for (const statement of allMigrations.slice(current.schema).flat()) await sql.run(statement);
    if (current.schema === 0) {
      await writeVersion(sql, { schema: schemaVersion, derivation: derivationVersion });
      await fillNew?.(sqliteRepositories(sql));
    } else if (current.derivation !== derivationVersion) await sqliteRepositories(sql).resetDerived();
    else await writeVersion(sql, { schema: schemaVersion, derivation: current.derivation });
  });
}

/** Ralph makes tables, indexes and full-text tables. What an entry is says its statement: SQLite runs that, whatever its type. */
const foreignObjects = `SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL
  AND NOT (sql GLOB 'CREATE TABLE *' OR sql GLOB 'CREATE INDEX *' OR sql GLOB 'CREATE UNIQUE INDEX *'
    OR (name GLOB 'search_text*' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5(%')) LIMIT 1`;

/** A trigger or view in somebody else's database would change or replace records behind our statements. */
async function refuseForeignSchema(sql: Sql, path: string): Promise<void> {
  const found = await sql.get<{ type: string; name: string }>(foreignObjects);
  if (found === undefined) return;
  const kind = found.type === "table" ? "virtual table" : found.type;
  throw new RalphError(
    "store-damaged",
    `The database holds a ${kind} that is not Ralph's, "${found.name}": ${path}`,
    { hint: 'run "ralph doctor --repair" to copy the records into a clean database' },
  );
}
