import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
} from "node:fs";
import { join } from "node:path";
import { isSystemError, RalphError } from "../../../domain/ralph-error.js";
import { placeholders, type SqlValue } from "../../sql.js";
import { canonicalTables } from "../../tables.js";
import { listBackups } from "../backup-files.js";
import { openSqliteStore, sqlitePath } from "../open-sqlite-store.js";
import { loadSqliteEngine, type SqliteDatabase, type SqliteEngine } from "../sqlite-driver.js";

export interface Repair {
  /** The backup that was restored; undefined if there was no intact one. */
  restoredFrom: string | undefined;
  /** Rows that could still be read from the damaged database. */
  salvagedRows: number;
  /** Where the damaged database was moved to. */
  keptAs: string;
}

/**
 * Replaces a damaged database with the newest intact backup and adds the rows that can still be read. The damaged files
 * are kept. Derived data is empty afterwards and has to be rebuilt.
 */
export async function repairSqliteStore(directory: string, now: Date): Promise<Repair> {
  const path = sqlitePath(directory);
  refuseWhileInUse(path);
  const engine = await loadSqliteEngine();
  const backup = listBackups(directory).find(({ path: candidate }) => isIntact(engine, candidate))?.path;
  const keptAs = `${path}.damaged-${now.toISOString().replace(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(path + suffix)) renameSync(path + suffix, keptAs + suffix);
  }
  if (backup !== undefined) restore(engine, backup, path);
  const store = await openSqliteStore({ directory, isFresh: true });
  try {
    await store.transaction((tx) => tx.resetDerived());
  } finally {
    await store.close();
  }
  return { restoredFrom: backup, salvagedRows: salvage(engine, keptAs, path), keptAs };
}

function restore(engine: SqliteEngine, backup: string, path: string): void {
  copyFileSync(backup, path);
  chmodSync(path, 0o600);
  const database = engine.open(path);
  // VACUUM INTO does not keep the WAL mode.
  database.exec("PRAGMA journal_mode = WAL");
  database.close();
}

function isIntact(engine: SqliteEngine, path: string): boolean {
  try {
    const database = engine.open(path, { readOnly: true });
    try {
      const rows = database.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
      return rows.length === 1 && rows[0]?.integrity_check === "ok";
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

function salvage(engine: SqliteEngine, from: string, to: string): number {
  if (!existsSync(from)) return 0;
  const source = engine.open(from);
  const target = engine.open(to);
  try {
    let rows = 0;
    for (const table of canonicalTables) {
      for (const row of readableRows(source, table)) rows += addRow(target, table, row);
    }
    return rows;
  } finally {
    source.close();
    target.close();
  }
}

/** Reads a table from both ends up to the damaged part. */
function readableRows(database: SqliteDatabase, table: string): Record<string, SqlValue>[] {
  const forwards = rowsUpToDamage(
    database,
    `SELECT rowid AS at, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1`,
    -1,
  );
  if (forwards.isComplete) return forwards.rows;
  const backwards = `SELECT rowid AS at, * FROM ${table} WHERE rowid < ? ORDER BY rowid DESC LIMIT 1`;
  return [...forwards.rows, ...rowsUpToDamage(database, backwards, Number.MAX_SAFE_INTEGER).rows];
}

function rowsUpToDamage(database: SqliteDatabase, nextRow: string, from: number) {
  const rows: Record<string, SqlValue>[] = [];
  try {
    const statement = database.prepare(nextRow);
    for (let at = from; ; ) {
      const found = statement.get(at) as (Record<string, SqlValue> & { at: number }) | undefined;
      if (found === undefined) return { rows, isComplete: true };
      const { at: position, ...row } = found;
      at = position;
      rows.push(row);
    }
  } catch {
    return { rows, isComplete: false };
  }
}

function addRow(database: SqliteDatabase, table: string, row: Record<string, SqlValue>): number {
  const columns = Object.keys(row);
  const statement = `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES ${placeholders(columns)}`;
  return Number(database.prepare(statement).run(...Object.values(row)).changes);
}

/** Another process with the database open would keep writing to the damaged file. */
function refuseWhileInUse(path: string): void {
  const user = processesUsing(path).find((pid) => pid !== process.pid);
  if (user === undefined) return;
  throw new RalphError("store-busy", `The database is in use by process ${user}: ${path}`, {
    hint: "stop that process, then run the repair again",
  });
}

/** Works on Linux only; empty elsewhere. */
function processesUsing(path: string): number[] {
  if (process.platform !== "linux" || !existsSync(path)) return [];
  const target = realpathSync(path);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => openFiles(pid).includes(target))
    .map(Number);
}

function openFiles(pid: string): string[] {
  const directory = join("/proc", pid, "fd");
  try {
    return readdirSync(directory).map((name) => readlinkSync(join(directory, name)));
  } catch (error) {
    // The process has ended, or belongs to another user.
    if (isSystemError(error, "ENOENT", "EACCES", "EPERM", "ESRCH")) return [];
    throw error;
  }
}
