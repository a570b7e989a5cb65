import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSystemError, RalphError } from "../../../domain/ralph-error.js";
import { namesIn } from "../../../files/names-in.js";
import { type Backup, listBackups } from "../backups.js";
import { removeLog } from "../database-file.js";
import { openSqliteStore, sqlitePath } from "../open-sqlite-store.js";
import { loadSqliteEngine, type SqliteDatabase, type SqliteEngine } from "../sqlite-driver.js";
import { type Salvage, salvageRows } from "./salvage-rows.js";

export interface Repair extends Salvage {
  /** The newest good backup. */
  backup: Backup | undefined;
  /** Where the damaged database is; undefined if there was none. */
  keptAs: string | undefined;
}

/**
 * Makes a new database of the rows of the damaged one that still read, and of the newest good backup where they do not. The
 * damaged files are kept. Derived data is empty afterwards and has to be rebuilt.
 */
export async function repairSqliteStore(directory: string): Promise<Repair> {
  const path = sqlitePath(directory);
  refuseWhileInUse(path);
  const engine = await loadSqliteEngine();
  const workshop = mkdtempSync(join(directory, "repair-"));
  try {
    const made = await makeDatabase(workshop);
    const filled = fill(engine, made, { directory, workshop });
    return { ...filled, keptAs: exchange(made, path) };
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function fill(
  engine: SqliteEngine,
  made: string,
  { directory, workshop }: { directory: string; workshop: string },
): Omit<Repair, "keptAs"> {
  const target = engine.open(made);
  const damaged = openCopy(engine, sqlitePath(directory), workshop);
  const good = openNewestGood(engine, listBackups(directory));
  try {
    const salvage = salvageRows(target, damaged, good?.database);
    target.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return { ...salvage, backup: good?.backup };
  } finally {
    for (const database of [damaged, good?.database, target]) database?.close();
  }
}

async function makeDatabase(workshop: string): Promise<string> {
  const store = await openSqliteStore({ directory: workshop, isFresh: true });
  await store.transaction((tx) => tx.resetDerived());
  await store.close();
  return sqlitePath(workshop);
}

function openNewestGood(
  engine: SqliteEngine,
  backups: readonly Backup[],
): { backup: Backup; database: SqliteDatabase } | undefined {
  for (const backup of backups) {
    let database: SqliteDatabase | undefined;
    try {
      database = engine.open(backup.path, { readOnly: true });
      const rows = database.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
      if (rows.length === 1 && rows[0]?.integrity_check === "ok") return { backup, database };
    } catch {
      // Damaged as well, or no database at all.
    }
    database?.close();
  }
  return undefined;
}

/** One page, so that SQLite reads the log of a database that was emptied. */
const smallestFile = 4096;

/** A copy of the damaged files to read from: SQLite changes what it opens, and deletes the log of an empty database. */
function openCopy(engine: SqliteEngine, path: string, workshop: string): SqliteDatabase | undefined {
  const copy = join(workshop, "damaged.db");
  const found = [path, `${path}-wal`].filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  if (found.length === 0) return undefined;
  for (const file of found) copyFileSync(file, copy + file.slice(path.length));
  if (!existsSync(copy)) writeFileSync(copy, "");
  if (statSync(copy).size < smallestFile) truncateSync(copy, smallestFile);
  chmodSync(copy, 0o600);
  try {
    return engine.open(copy);
  } catch {
    return undefined;
  }
}

/**
 * Puts the new database in place of the damaged one, which has another name by then. A copy, because this process may still
 * share the log of the file that it made.
 */
function exchange(made: string, path: string): string | undefined {
  const copy = `${made}.done`;
  copyFileSync(made, copy);
  chmodSync(copy, 0o600);
  const file = openSync(copy, "r+");
  fsyncSync(file);
  closeSync(file);
  const isThere = existsSync(path) || existsSync(`${path}-wal`);
  const keptAs = isThere ? freeName(path) : undefined;
  if (keptAs !== undefined) {
    if (existsSync(path)) keep(path, keptAs);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${keptAs}-wal`, constants.COPYFILE_EXCL);
  }
  removeLog(path);
  renameSync(copy, path);
  return keptAs;
}

function keep(path: string, keptAs: string): void {
  try {
    linkSync(path, keptAs);
  } catch {
    copyFileSync(path, keptAs, constants.COPYFILE_EXCL);
  }
}

/** A name for a damaged database and its log. Numbered rather than dated: a clock may say the same twice. */
export function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.damaged-${number}`;
    if (![name, `${name}-wal`].some(isTaken)) return name;
  }
}

/** Also by a link to nowhere, which a repository could bring: what is written there would be elsewhere. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Databases that a repair kept beside the one it made. */
export function listKept(path: string): string[] {
  return namesIn(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.`) && !/-(?:wal|shm|journal)$/.test(name))
    .sort()
    .map((name) => join(dirname(path), name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
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
