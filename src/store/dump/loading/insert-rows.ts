import type { Dialect } from "../../dialect.js";
import { type CheckedRow, checkedTables, rowCheck } from "../../repositories/checks/row-check.js";
import type { Sql, SqlValue } from "../../sql.js";
import { shapeOf } from "../all-tables.js";
import type { CanonicalTable, Row } from "../table-shape.js";

const mostAtOnce = 64;

/** Adds rows, with their check values, and leaves out those that are there; returns how many were added. */
export async function insertRows(
  sql: Sql,
  dialect: Pick<Dialect, "project" | "hasRowChecks">,
  table: CanonicalTable,
  rows: readonly Row[],
): Promise<number> {
  const columns = Object.keys(shapeOf(table).columns);
  const isChecked = hasCheck(dialect, table);
  const names = isChecked ? [...columns, "row_check"] : columns;
  const one = `(${dialect.project.value}${names.map(() => "?").join(", ")})`;
  const valuesOf = (row: Row): SqlValue[] => [
    ...columns.map((name) => row[name] ?? null),
    ...(isChecked ? [rowCheck(inOrder(columns, row))] : []),
  ];
  const inserting = inPowersOfTwo(rows).map((some) =>
    sql.run(
      `INSERT INTO ${table} (${dialect.project.column}${names.join(", ")}) VALUES ${some.map(() => one).join(", ")} ON CONFLICT DO NOTHING`,
      ...some.flatMap(valuesOf),
    ),
  );
  return (await Promise.all(inserting)).reduce((sum, count) => sum + count, 0);
}

/** Replaces rows that are there, with their check values. */
export async function replaceRows(
  sql: Sql,
  dialect: Pick<Dialect, "project" | "hasRowChecks">,
  { table, id }: { table: CanonicalTable; id: readonly string[] },
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(shapeOf(table).columns);
  const isChecked = hasCheck(dialect, table);
  const assigned = [...columns, ...(isChecked ? ["row_check"] : [])].map((name) => `${name} = ?`).join(", ");
  const isRow = id.map((name) => `${name} = ?`).join(" AND ");
  const replacing = rows.map((row) =>
    sql.run(
      `UPDATE ${table} SET ${assigned} WHERE ${dialect.project.owns(table)} AND ${isRow}`,
      ...columns.map((name) => row[name] ?? null),
      ...(isChecked ? [rowCheck(inOrder(columns, row))] : []),
      ...id.map((name) => row[name] ?? null),
    ),
  );
  await Promise.all(replacing);
}

function hasCheck({ hasRowChecks }: Pick<Dialect, "hasRowChecks">, table: CanonicalTable): boolean {
  return hasRowChecks && (checkedTables as readonly string[]).includes(table);
}

/** Check values depend on the order of columns. */
function inOrder(columns: readonly string[], row: Row): CheckedRow {
  return Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
}

/** So that there are few different statements, which drivers remember. */
function inPowersOfTwo<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0, size = mostAtOnce; at < items.length; ) {
    while (size > items.length - at) size /= 2;
    parts.push(items.slice(at, at + size));
    at += size;
  }
  return parts;
}
