import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { listBackups } from "../backup-files.js";
import { removeLog } from "../database-file.js";
import { openSqliteStore, sqlitePath } from "../open-sqlite-store.js";
import { loadSqliteEngine, type SqliteDatabase, type SqliteEngine } from "../sqlite-driver.js";
import { type FilledFromCopies, fillFromCopies } from "./fill-from-copies.js";
import { freeName, listRescued } from "./kept-databases.js";
import { mergeRecords } from "./merge-records.js";
import { openIntact } from "./open-intact.js";
import { refuseWhileInUse } from "./processes-using.js";

export interface Repair extends FilledFromCopies {
  /** Copies of records that were saved during a run and have been added now, by the names that they have got. */
  rescued: string[];
  /** Where the damaged database is; undefined if there was none. */
  keptAs: string | undefined;
}

/**
 * Makes a new database of what can be read of the damaged one, and of the backups where it cannot be read. The damaged
 * files are kept. Derived data is empty afterwards and has to be rebuilt.
 */
export async function repairSqliteStore(directory: string): Promise<Repair> {
  const path = sqlitePath(directory);
  refuseWhileInUse(path);
  const engine = await loadSqliteEngine();
  const workshop = mkdtempSync(join(directory, "repair-"));
  try {
    const made = await makeDatabase(workshop);
    const filled = fill(engine, made, { directory, workshop });
    const keptAs = exchange(made, path);
    return { ...filled, rescued: filled.rescued.map((file) => markAdded(path, file)), keptAs };
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
  let source: SqliteDatabase | undefined;
  try {
    source = openCopy(engine, sqlitePath(directory), workshop);
    target.exec("PRAGMA foreign_keys = OFF");
    const filled = fillFromCopies(engine, target, source, listBackups(directory));
    const rescued = addRescued(engine, target, directory);
    target.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return { ...filled, rescued };
  } finally {
    source?.close();
    target.close();
  }
}

async function makeDatabase(workshop: string): Promise<string> {
  const store = await openSqliteStore({ directory: workshop, isFresh: true });
  await store.transaction((tx) => tx.resetDerived());
  await store.close();
  return sqlitePath(workshop);
}

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

/** One page, so that SQLite reads the log of a database that was emptied. */
const smallestFile = 4096;

function addRescued(engine: SqliteEngine, target: SqliteDatabase, directory: string): string[] {
  return listRescued(sqlitePath(directory)).filter((file) => {
    const found = openIntact(engine, file);
    found?.close();
    return found !== undefined && mergeRecords(target, file).kind === "merged";
  });
}

function markAdded(path: string, file: string): string {
  const name = freeName(path, "added");
  renameSync(file, name);
  return name;
}

/**
 * Puts the new database in place of the damaged one, which is under its other name before that. A copy, because this process
 * may still share the log of the file that it made.
 */
function exchange(made: string, path: string): string | undefined {
  const copy = `${made}.done`;
  copyFileSync(made, copy);
  chmodSync(copy, 0o600);
  const file = openSync(copy, "r+");
  fsyncSync(file);
  closeSync(file);
  const isThere = existsSync(path) || existsSync(`${path}-wal`);
  const keptAs = isThere ? freeName(path, "damaged") : undefined;
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
