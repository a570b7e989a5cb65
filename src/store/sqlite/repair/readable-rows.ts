import type { SqlValue } from "../../sql.js";
import type { SqliteDatabase } from "../sqlite-driver.js";
import { isCorrupt, isNoDatabase } from "../sqlite-errors.js";
import { columnsOf } from "./table-columns.js";

export type Row = Record<string, SqlValue>;

export interface ReadableRows {
  rows: Row[];
  /** Every row could be read. */
  isComplete: boolean;
  /** How many rows an index of the table lists; undefined if that cannot be read either. */
  listed: number | undefined;
}

/** Of a table of which nothing can be read. */
export const unreadable: ReadableRows = { rows: [], isComplete: false, listed: undefined };

/** Reads a table from both ends up to the damage, and row by row in between. */
export function readRows(database: SqliteDatabase, table: string): ReadableRows {
  try {
    if (columnsOf(database, table).length === 0) return unreadable;
  } catch {
    return unreadable;
  }
  const forwards = rowsUpToDamage(
    database,
    `SELECT rowid AS at, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1`,
    Number.MIN_SAFE_INTEGER,
  );
  if (forwards.isComplete) return { rows: forwards.rows, isComplete: true, listed: forwards.rows.length };
  const backwards = rowsUpToDamage(
    database,
    `SELECT rowid AS at, * FROM ${table} WHERE rowid < ? ORDER BY rowid DESC LIMIT 1`,
    Number.MAX_SAFE_INTEGER,
  );
  const listedNumbers = rowNumbers(database, table);
  const between = rowsBetween(database, table, forwards.last, backwards.last, listedNumbers);
  return {
    rows: [...forwards.rows, ...between, ...backwards.rows],
    isComplete: false,
    listed: listedNumbers?.length,
  };
}

/** Whether the list of tables alone is damaged: the rows are on other pages, but SQLite does not know which. */
export function isSchemaDamaged(database: SqliteDatabase): boolean {
  try {
    database.prepare("SELECT count(sql) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return isCorrupt(error) && !isNoDatabase(error);
  }
}

function rowsUpToDamage(database: SqliteDatabase, nextRow: string, from: number) {
  const rows: Row[] = [];
  const seen = new Set<number>();
  let at = from;
  try {
    const statement = database.prepare(nextRow);
    for (;;) {
      const found = statement.get(at) as (Row & { at: number }) | undefined;
      if (found === undefined) return { rows, last: at, isComplete: true };
      const { at: position, ...row } = found;
      // In a damaged tree the next row may be an earlier one, for ever.
      if (seen.has(position)) return { rows, last: at, isComplete: false };
      seen.add(position);
      at = position;
      rows.push(row);
    }
  } catch {
    return { rows, last: at, isComplete: false };
  }
}

/** As the indexes list them: they are other pages than the table's. */
function rowNumbers(database: SqliteDatabase, table: string): number[] | undefined {
  const indexes = attempt(
    () => database.prepare(`PRAGMA index_list(${table})`).all() as { name: string; partial: number }[],
  );
  for (const { name, partial } of indexes ?? []) {
    if (partial === 1) continue;
    const numbers = attempt(() =>
      database.prepare(`SELECT rowid AS at FROM ${table} INDEXED BY "${name}"`).all(),
    );
    if (numbers !== undefined) return (numbers as { at: number }[]).map(({ at }) => at);
  }
  return undefined;
}

/** Without an index to name them, rows are looked for by number, until so many in turn are not there. */
const mostMisses = 2_000;

function rowsBetween(
  database: SqliteDatabase,
  table: string,
  low: number,
  high: number,
  listed: readonly number[] | undefined,
): Row[] {
  const statement = attempt(() => database.prepare(`SELECT * FROM ${table} WHERE rowid = ?`));
  if (statement === undefined) return [];
  const rows: Row[] = [];
  const look = (at: number): boolean => {
    const row = attempt(() => statement.get(at) as Row | undefined);
    if (row !== undefined) rows.push(row);
    return row !== undefined;
  };
  if (listed !== undefined) for (const at of listed.filter((at) => at > low && at < high)) look(at);
  else
    for (let at = Math.max(low + 1, 1), misses = 0; at < high && misses < mostMisses; at += 1)
      misses = look(at) ? 0 : misses + 1;
  return rows;
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
