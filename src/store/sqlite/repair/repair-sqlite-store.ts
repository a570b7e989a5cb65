import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CheckedTable, isRowIntact, isRowReadable } from "../../repositories/checks/row-check.js";
import { canonicalTables } from "../../tables.js";
import { type Backup, listBackups } from "../backup-files.js";
import { removeLog } from "../database-file.js";
import { openSqliteStore, sqlitePath } from "../open-sqlite-store.js";
import { loadSqliteEngine, type SqliteDatabase, type SqliteEngine } from "../sqlite-driver.js";
import { nameOfRow } from "./altered-rows.js";
import { mergeRecords, settleMerged } from "./merge-records.js";
import { openIntact } from "./open-intact.js";
import { refuseWhileInUse } from "./processes-using.js";
import { type Row, readRows, unreadable } from "./readable-rows.js";
import { countKnown, figuresByKind, type RepairedKind, type TableFigures } from "./repaired-figures.js";
import { freeName } from "./rescue-records.js";
import { columnsOf, keyOf } from "./table-columns.js";

export interface Repair {
  kinds: RepairedKind[];
  /** The newest backup that records were taken from, or could have been. */
  backup: Backup | undefined;
  /** Names of records that do not match their check values and that no backup has; from now on they count as they are. */
  alteredKept: string[];
  /** Copies of records that were saved during a run and have been added now. */
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
    const target = engine.open(made);
    target.exec("PRAGMA foreign_keys = OFF");
    const source = openCopy(engine, path, workshop);
    const result = fill(engine, target, source, listBackups(directory));
    source?.close();
    const rescued = addRescued(engine, target, directory);
    target.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    target.close();
    const keptAs = exchange(made, path);
    for (const file of rescued) renameSync(file, file.replace(".rescued-", ".added-"));
    return { ...result, rescued, keptAs };
  } finally {
    rmSync(workshop, { recursive: true, force: true });
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

function fill(
  engine: SqliteEngine,
  target: SqliteDatabase,
  source: SqliteDatabase | undefined,
  backups: readonly Backup[],
): Pick<Repair, "kinds" | "backup" | "alteredKept"> {
  const read = new Map(
    canonicalTables.map((table) => [table, source === undefined ? unreadable : readRows(source, table)]),
  );
  const good = openRelated(engine, backups, read.get("tasks")?.rows ?? []);
  target.exec("BEGIN");
  const alteredKept: string[] = [];
  const figures = canonicalTables.map((table): TableFigures => {
    const { rows, isComplete, listed } = read.get(table) ?? unreadable;
    const isIntact = (row: Row) => isRowIntact(row) && isRowReadable(table, row);
    const intact = rows.filter(isIntact);
    const altered = rows.filter((row) => !isIntact(row));
    const fromDatabase = addRows(target, table, intact);
    let fromBackups = 0;
    for (const { database } of good) {
      const isWanted = !isComplete || !deletableTables.has(table);
      if (!isWanted && altered.length === 0) continue;
      const backedUp = readRows(database, table).rows.filter(isIntact);
      fromBackups += addRows(
        target,
        table,
        isWanted ? backedUp : withKeysOf(target, table, altered, backedUp),
      );
    }
    const readable = altered.filter((row) => isRowReadable(table, row));
    const unreplaced = readable.filter((row) => addRows(target, table, [{ ...row, row_check: null }]) > 0);
    alteredKept.push(...unreplaced.map((row) => nameOfRow(table as CheckedTable, row)));
    return {
      table,
      fromDatabase: fromDatabase + unreplaced.length,
      fromBackups,
      isComplete,
      listed,
      orphans: 0,
    };
  });
  settleMerged(target);
  const knownRows = countKnown(target);
  for (const one of figures) one.orphans = removeOrphans(target, one.table);
  target.exec("COMMIT");
  for (const { database } of good) database.close();
  return {
    kinds: figuresByKind(figures, knownRows),
    backup: good[0]?.backup,
    alteredKept,
  };
}

/** Records are deleted from these, so what is not there any more must not come back. */
const deletableTables = new Set<string>([
  "added_sections",
  "deleted_notes",
  "learnings",
  "learning_sources",
  "deleted_learnings",
  "staged_learnings",
  "links",
]);

/**
 * Sound backups of the same records, newest first. After records were lost their numbers are given again, so the records of an
 * older backup may stand for others by now and would be mixed up with them.
 */
function openRelated(engine: SqliteEngine, backups: readonly Backup[], tasks: readonly Row[]) {
  const identities = new Map(tasks.map(({ number, uuid }) => [number, uuid]));
  return backups.flatMap((backup) => {
    const database = openIntact(engine, backup.path);
    if (database === undefined) return [];
    const backedUp = readRows(database, "tasks").rows;
    const isRelated = backedUp.every(({ number, uuid }) => (identities.get(number) ?? uuid) === uuid);
    if (isRelated) for (const { number, uuid } of backedUp) identities.set(number, uuid);
    else database.close();
    return isRelated ? [{ backup, database }] : [];
  });
}

function withKeysOf(
  target: SqliteDatabase,
  table: string,
  rows: readonly Row[],
  among: readonly Row[],
): Row[] {
  const columns = keyOf(target, table);
  const keyText = (row: Row) => JSON.stringify(columns.map((column) => row[column]));
  const keys = new Set(rows.map(keyText));
  return among.filter((row) => keys.has(keyText(row)));
}

/** Rows that are there already stay: what is added first is newer. */
function addRows(target: SqliteDatabase, table: string, rows: readonly Row[]): number {
  const wanted = new Set(columnsOf(target, table));
  let added = 0;
  for (const row of rows) {
    const columns = Object.keys(row).filter((column) => wanted.has(column));
    const values = columns.map(() => "?").join(", ");
    try {
      added += Number(
        target
          .prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${values})`)
          .run(...columns.map((column) => row[column] ?? null)).changes,
      );
    } catch {
      // A row that the damage left with a value of the wrong kind is not a record any more.
    }
  }
  return added;
}

const parents: Partial<Record<(typeof canonicalTables)[number], string>> = {
  attempts: "task_number NOT IN (SELECT number FROM tasks)",
  actions: "attempt_key NOT IN (SELECT attempt_key FROM attempts)",
  milestones: "attempt_key NOT IN (SELECT attempt_key FROM attempts)",
  packed_actions: "attempt_key NOT IN (SELECT attempt_key FROM attempts)",
  iteration_results: "attempt_key NOT IN (SELECT attempt_key FROM attempts)",
  reflections: "task_number NOT IN (SELECT number FROM tasks)",
  capacity_changes: "task_number NOT IN (SELECT number FROM tasks)",
  runs: "task_number NOT IN (SELECT number FROM tasks)",
  brief_records: "brief_key NOT IN (SELECT brief_key FROM briefs)",
};

/** Nothing shows a record whose parent is gone, and nothing may be added to it. */
function removeOrphans(target: SqliteDatabase, table: (typeof canonicalTables)[number]): number {
  const condition = parents[table];
  if (condition === undefined) return 0;
  return Number(target.prepare(`DELETE FROM ${table} WHERE ${condition}`).run().changes);
}

/** What a run saved when its database was taken away. */
export function listRescued(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => /^memory\.db\.rescued-\d+$/.test(name))
    .sort()
    .map((name) => join(directory, name));
}

function addRescued(engine: SqliteEngine, target: SqliteDatabase, directory: string): string[] {
  return listRescued(directory).filter((file) => {
    const found = openIntact(engine, file);
    found?.close();
    return found !== undefined && mergeRecords(target, file).kind === "merged";
  });
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
  const keptAs = isThere ? freeName(join(dirname(path), `${basename(path)}.damaged`)) : undefined;
  if (keptAs !== undefined) {
    if (existsSync(path)) keep(path, keptAs);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${keptAs}-wal`);
  }
  removeLog(path);
  renameSync(copy, path);
  return keptAs;
}

function keep(path: string, keptAs: string): void {
  try {
    linkSync(path, keptAs);
  } catch {
    copyFileSync(path, keptAs);
  }
}
