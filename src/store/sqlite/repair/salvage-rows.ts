import { unreadableColumn } from "../../dump/check-rows.js";
import type { SqlValue } from "../../sql.js";
import { canonicalTables } from "../../tables.js";
import type { SqliteDatabase, SqliteStatement } from "../sqlite-driver.js";

type Row = Record<string, SqlValue>;

export interface Salvage {
  /** Rows that were read from the damaged database. */
  read: number;
  /** Rows that were taken from the backup. */
  fromBackup: number;
  /** Tables that could not be read in full. */
  incomplete: string[];
}

/** Records are deleted from these: as long as the table reads in full, what is not in it must not come back. */
const deletableTables = new Set<string>([
  ...["added_sections", "deleted_notes", "learnings", "learning_sources", "deleted_learnings"],
  ...["staged_learnings", "links", "outbox"],
]);

/**
 * Fills an empty database with the rows of the damaged one that still read, and with those of the backup that are not among them.
 */
export function salvageRows(
  target: SqliteDatabase,
  damaged: SqliteDatabase | undefined,
  backup: SqliteDatabase | undefined,
): Salvage {
  const salvage: Salvage = { read: 0, fromBackup: 0, incomplete: [] };
  target.exec("PRAGMA foreign_keys = OFF");
  target.exec("BEGIN");
  let usable = backup;
  for (const table of canonicalTables) {
    const { rows, isWhole } = readTable(damaged, table);
    salvage.read += addRows(target, table, rows);
    if (table === "tasks" && isOfOthers(target, backup)) usable = undefined;
    if (!isWhole) salvage.incomplete.push(table);
    else if (deletableTables.has(table)) continue;
    salvage.fromBackup += addRows(target, table, readTable(usable, table).rows);
  }
  reconcile(target);
  target.exec("COMMIT");
  return salvage;
}

const mostMisses = 2_000;

/** Reads a table row by row, passing over what does not read, and from its end if that never ends. */
function readTable(database: SqliteDatabase | undefined, table: string): { rows: Row[]; isWhole: boolean } {
  const rows: Row[] = [];
  if (database === undefined || !isTable(database, table)) return { rows, isWhole: false };
  let isWhole = true;
  let last = Number.MIN_SAFE_INTEGER;
  const next = rowReader(database, table, "rowid > ? ORDER BY rowid");
  for (let misses = 0; misses < mostMisses; ) {
    const found = next(last);
    if (found === "end") return { rows, isWhole };
    if (found !== "damaged" && found.at > last) {
      last = found.at;
      misses = 0;
      if (unreadableColumn(table, found.row) === undefined) rows.push(found.row);
      else isWhole = false;
      continue;
    }
    isWhole = false;
    misses += 1;
    last = Math.max(last, 0) + 1;
  }
  const previous = rowReader(database, table, "rowid < ? ORDER BY rowid DESC");
  for (let first = Number.MAX_SAFE_INTEGER; ; ) {
    const found = previous(first);
    if (typeof found === "string" || found.at >= first || found.at <= last) return { rows, isWhole };
    first = found.at;
    if (unreadableColumn(table, found.row) === undefined) rows.push(found.row);
  }
}

/** A table of its own: a view or a virtual table by its name would run somebody else's statement. */
function isTable(database: SqliteDatabase, table: string): boolean {
  try {
    const found = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?";
    return database.prepare(found).get(table) !== undefined;
  } catch {
    return false;
  }
}

function rowReader(database: SqliteDatabase, table: string, condition: string) {
  let statement: SqliteStatement | undefined;
  return (from: number): { at: number; row: Row } | "end" | "damaged" => {
    try {
      statement ??= database.prepare(`SELECT rowid AS row_at, * FROM ${table} WHERE ${condition} LIMIT 1`);
      const found = statement.get(from) as (Row & { row_at: number }) | undefined;
      if (found === undefined) return "end";
      const { row_at: at, ...row } = found;
      return { at, row };
    } catch {
      return "damaged";
    }
  };
}

/** Rows that are there already stay: what is added first is newer. */
function addRows(target: SqliteDatabase, table: string, rows: readonly Row[]): number {
  const columns = target.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[];
  const wanted = new Set(columns.map(({ name }) => name));
  let added = 0;
  for (const row of rows) {
    const names = Object.keys(row).filter((name) => wanted.has(name));
    const insert = `INSERT OR IGNORE INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    try {
      added += Number(target.prepare(insert).run(...names.map((name) => row[name] ?? null)).changes);
    } catch {
      // The damage left it with a value of the wrong kind.
    }
  }
  return added;
}

/** After a loss, numbers are given again: the backup may have other tasks under the same numbers. */
function isOfOthers(target: SqliteDatabase, backup: SqliteDatabase | undefined): boolean {
  const ours = target.prepare("SELECT uuid FROM tasks WHERE number = ?");
  return readTable(backup, "tasks").rows.some(({ number, uuid }) => {
    const own = ours.get(number ?? null) as { uuid: string } | undefined;
    return own !== undefined && own.uuid !== uuid;
  });
}

/** Makes rows of two ages agree: what was archived or deleted later stays so, and no row is left without its parent. */
function reconcile(target: SqliteDatabase): void {
  const last = "(SELECT max(id) FROM attempts WHERE task_number = tasks.number)";
  target.exec(`UPDATE tasks SET total_attempts = ${last} WHERE total_attempts < ${last}`);
  target.exec("DELETE FROM actions WHERE attempt_key IN (SELECT attempt_key FROM packed_actions)");
  target.exec("DELETE FROM learnings WHERE id IN (SELECT id FROM deleted_learnings)");
  for (;;) {
    const orphans = target.prepare("PRAGMA foreign_key_check").all() as { table: string; rowid: number }[];
    if (orphans.length === 0) return;
    for (const { table, rowid } of orphans) target.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid);
  }
}
