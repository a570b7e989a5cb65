import { isRowIntact, isRowReadable } from "../../repositories/checks/row-check.js";
import { canonicalTables } from "../../tables.js";
import type { Backup } from "../backup-files.js";
import type { SqliteDatabase, SqliteEngine } from "../sqlite-driver.js";
import { settleMerged } from "./merge-records.js";
import { openIntact } from "./open-intact.js";
import { isSchemaDamaged, type ReadableRows, type Row, readRows, unreadable } from "./readable-rows.js";
import { nameOfRow } from "./record-words.js";
import { countKnown, figuresByKind, type RepairedKind, type TableFigures } from "./repaired-figures.js";
import { columnsOf, keyOf } from "./table-columns.js";

type Table = (typeof canonicalTables)[number];

export interface FilledFromCopies {
  kinds: RepairedKind[];
  /** The newest backup that records were taken from, or could have been. */
  backup: Backup | undefined;
  /** Names of records that do not match their check values and that no backup has; from now on they count as they are. */
  alteredKept: string[];
  /** Nothing could be read because the list of tables is damaged; the pages with the rows may be sound. */
  isSchemaDamaged: boolean;
}

/** Gives every table the rows that can be read, and the backups' where they cannot; rows whose parents are gone are left out. */
export function fillFromCopies(
  engine: SqliteEngine,
  target: SqliteDatabase,
  source: SqliteDatabase | undefined,
  backups: readonly Backup[],
): FilledFromCopies {
  const read = new Map(
    canonicalTables.map((table) => [table, source === undefined ? unreadable : readRows(source, table)]),
  );
  const good = openRelated(engine, backups, read.get("tasks")?.rows ?? []);
  try {
    target.exec("BEGIN");
    const alteredKept: string[] = [];
    const figures = canonicalTables.map((table): TableFigures => {
      const rows = read.get(table) ?? unreadable;
      const filled = fillTable(
        target,
        table,
        rows,
        good.map(({ database }) => database),
      );
      alteredKept.push(...filled.alteredKept);
      return filled.figures;
    });
    settleMerged(target);
    const knownRows = countKnown(target);
    for (const one of figures) one.orphans = removeOrphans(target, one.table);
    target.exec("COMMIT");
    return {
      kinds: figuresByKind(figures, knownRows),
      backup: good[0]?.backup,
      alteredKept,
      isSchemaDamaged: source !== undefined && isSchemaDamaged(source),
    };
  } finally {
    for (const { database } of good) database.close();
  }
}

function fillTable(
  target: SqliteDatabase,
  table: Table,
  { rows, isComplete, listed }: ReadableRows,
  backups: readonly SqliteDatabase[],
): { figures: TableFigures; alteredKept: string[] } {
  const isIntact = (row: Row) => isRowIntact(row) && isRowReadable(table, row);
  const altered = rows.filter((row) => !isIntact(row));
  const fromDatabase = addRows(target, table, rows.filter(isIntact));
  const isWanted = !isComplete || !deletableTables.has(table);
  let fromBackups = 0;
  for (const backup of isWanted || altered.length > 0 ? backups : []) {
    const backedUp = readRows(backup, table).rows.filter(isIntact);
    fromBackups += addRows(target, table, isWanted ? backedUp : withKeysOf(target, table, altered, backedUp));
  }
  const readable = altered.filter((row) => isRowReadable(table, row));
  const unreplaced = readable.filter((row) => addRows(target, table, [{ ...row, row_check: null }]) > 0);
  return {
    figures: {
      table,
      fromDatabase: fromDatabase + unreplaced.length,
      fromBackups,
      isComplete,
      listed,
      orphans: 0,
    },
    alteredKept: unreplaced.map((row) => nameOfRow(table, row)),
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

const parents: Partial<Record<Table, string>> = {
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
function removeOrphans(target: SqliteDatabase, table: Table): number {
  const condition = parents[table];
  if (condition === undefined) return 0;
  return Number(target.prepare(`DELETE FROM ${table} WHERE ${condition}`).run().changes);
}
