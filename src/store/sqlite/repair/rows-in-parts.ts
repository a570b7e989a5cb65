import { rowNumber } from "../../repositories/checks/row-check.js";
import type { Sql } from "../../sql.js";

const rowsAtOnce = 500;

/** A row with its number, which is not taken out of it: that takes as long as to read the row. */
export type NumberedRow<Row> = Row & { [rowNumber]: number };

/** The rows of a table, some at a time, so that a large one is never in memory as a whole. */
export async function* rowsInParts<Row extends object>(
  sql: Sql,
  table: string,
  columns: readonly string[] = ["*"],
): AsyncGenerator<NumberedRow<Row>[]> {
  const part = `SELECT rowid AS ${rowNumber}, ${columns.join(", ")} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`;
  for (let last: number | undefined = Number.MIN_SAFE_INTEGER; last !== undefined; ) {
    const rows: NumberedRow<Row>[] = await sql.all(part, last);
    yield rows;
    const next = rows.at(-1)?.[rowNumber];
    // Only a damaged tree goes back.
    last = next !== undefined && next > last ? next : undefined;
  }
}
