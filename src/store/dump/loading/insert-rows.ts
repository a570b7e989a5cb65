import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { shapeOf } from "../all-tables.js";
import type { CanonicalTable, Row } from "../table-shape.js";

const mostAtOnce = 64;

/** Adds rows and leaves out those that are there; returns how many were added. */
export async function insertRows(
  sql: Sql,
  { project }: Dialect,
  table: CanonicalTable,
  rows: readonly Row[],
): Promise<number> {
  const columns = Object.keys(shapeOf(table).columns);
  const one = `(${project.value}${columns.map(() => "?").join(", ")})`;
  let added = 0;
  for (const some of inPowersOfTwo(rows))
    added += await sql.run(
      `INSERT INTO ${table} (${project.column}${columns.join(", ")}) VALUES ${some.map(() => one).join(", ")} ON CONFLICT DO NOTHING`,
      ...some.flatMap((row) => columns.map((name) => row[name] ?? null)),
    );
  return added;
}

/** Replaces rows that are there. */
export async function replaceRows(
  sql: Sql,
  { project }: Dialect,
  { table, id }: { table: CanonicalTable; id: readonly string[] },
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(shapeOf(table).columns);
  const assigned = columns.map((name) => `${name} = ?`).join(", ");
  const isRow = id.map((name) => `${name} = ?`).join(" AND ");
  for (const row of rows)
    await sql.write(
      `UPDATE ${table} SET ${assigned} WHERE ${project.owns(table)} AND ${isRow}`,
      ...[...columns, ...id].map((name) => row[name] ?? null),
    );
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
