import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { shapeOf } from "../all-tables.js";
import { highest } from "../read-rows.js";
import type { RowSide } from "../row-side.js";
import type { CanonicalTable, Row } from "../table-shape.js";

/** Gives rows the keys that they will have here, in the order of storing. */
export type NewKeys = (table: CanonicalTable, rows: readonly Row[]) => Promise<number[]>;

export interface NewKeysOptions {
  sql: Sql;
  dialect: Dialect;
  engine: RowSide["engine"];
  isWritten: boolean;
}

export function makeNewKeys({ sql, dialect, engine, isWritten }: NewKeysOptions): NewKeys {
  if (!isWritten) return countingDown();
  return engine === "postgres" ? fromSequences(sql) : ownOrFurther(sql, dialect);
}

/** Keys that no row has. */
function countingDown(): NewKeys {
  let last = 0;
  return async (_table, rows) =>
    rows.map(() => {
      last -= 1;
      return last;
    });
}

/** All projects of a server share a sequence, which must not come to a key that is taken. */
function fromSequences(sql: Sql): NewKeys {
  return async (table, rows) => {
    const taken = await sql.all<{ key: number }>(
      `SELECT nextval(pg_get_serial_sequence('${table}', '${keyOf(table)}')) AS key FROM generate_series(1, ?)`,
      rows.length,
    );
    return taken.map(({ key }) => key);
  };
}

/** An empty table takes the keys as they are. */
function ownOrFurther(sql: Sql, dialect: Dialect): NewKeys {
  const last = new Map<CanonicalTable, number>();
  return async (table, rows) => {
    const key = keyOf(table);
    let highestKey = last.get(table) ?? (await highest(sql, dialect, table, key));
    if (highestKey === 0) {
      last.set(table, 0);
      return rows.map((row) => Number(row[key]));
    }
    const keys = rows.map(() => {
      highestKey += 1;
      return highestKey;
    });
    last.set(table, highestKey);
    return keys;
  };
}

function keyOf(table: CanonicalTable): string {
  const { key } = shapeOf(table);
  if (key === undefined) throw new TypeError(`${table} has no key`);
  return key;
}
