import type { SqliteDatabase } from "../sqlite-driver.js";

/** The columns of a table; none if it does not exist, or is a view. */
export function columnsOf(database: SqliteDatabase, table: string, schema = "main"): string[] {
  const found = database
    .prepare(`SELECT 1 FROM ${schema}.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?`)
    .get(table);
  if (found === undefined) return [];
  const rows = database.prepare(`PRAGMA ${schema}.table_info(${table})`).all() as { name: string }[];
  return rows.map(({ name }) => name);
}

/** The columns of a table's primary key. */
export function keyOf(database: SqliteDatabase, table: string): string[] {
  const rows = database.prepare(`PRAGMA table_info(${table})`).all() as { name: string; pk: number }[];
  return rows.filter(({ pk }) => pk > 0).map(({ name }) => name);
}
