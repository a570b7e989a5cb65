import type { Sql } from "../../sql.js";

const rowsAtOnce = 500;

export interface RowAt<Row> {
  rowid: number;
  row: Row;
}

/** The rows of a table, some at a time, so that a large one is never in memory as a whole. */
export async function* rowsInParts<Row extends object>(
  sql: Sql,
  table: string,
  columns: readonly string[] = ["*"],
): AsyncGenerator<RowAt<Row>> {
  const part = `SELECT rowid AS row_at, ${columns.join(", ")} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`;
  for (let last: number | undefined = Number.MIN_SAFE_INTEGER; last !== undefined; ) {
    const rows: (Row & { row_at: number })[] = await sql.all(part, last);
    for (const { row_at: rowid, ...row } of rows) yield { rowid, row: row as unknown as Row };
    const next = rows.at(-1)?.row_at;
    // Only a damaged tree goes back.
    last = next !== undefined && next > last ? next : undefined;
  }
}
