import { firstProvisional } from "../../domain/tasks/task.js";
import type { Dialect } from "../dialect.js";
import { placeholders, type Sql } from "../sql.js";
import { shapeOf } from "./all-tables.js";
import type { CanonicalTable, Row, TableRow } from "./table-shape.js";

const rowsAtOnce = 200;

/** All rows of some tables, a few at a time, so that a large store is never in memory as a whole. */
export async function* readRows(
  sql: Sql,
  { project }: Dialect,
  tables: readonly CanonicalTable[],
): AsyncGenerator<TableRow> {
  for (const table of tables) {
    const { columns, order } = shapeOf(table);
    const by = order.join(", ");
    const select = (condition: string) =>
      `SELECT ${Object.keys(columns).join(", ")} FROM ${table} WHERE ${project.owns(table)} ${condition}
       ORDER BY ${by} LIMIT ${rowsAtOnce}`;
    const further = select(`AND (${by}) > ${placeholders(order)}`);
    let rows = await sql.all<Row>(select(""));
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      for (const row of rows) yield { table, row: { ...row } };
      if (rows.length < rowsAtOnce) break;
      const from = last;
      rows = await sql.all<Row>(further, ...order.map((name) => from[name] ?? null));
    }
  }
}

export type TableCounts = Partial<Record<CanonicalTable, number>>;

/** How many rows each table has. */
export async function countRows(
  sql: Sql,
  { project }: Dialect,
  tables: readonly CanonicalTable[],
): Promise<TableCounts> {
  const counts: TableCounts = {};
  for (const table of tables) {
    const row = await sql.get<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE ${project.owns(table)}`,
    );
    counts[table] = row?.count ?? 0;
  }
  return counts;
}

/** Numbers that people know records by: none of them is given to another record. */
export interface HighestNumbers {
  tasks: number;
  handoffs: number;
}

export async function highestNumbers(
  sql: Sql,
  dialect: Dialect,
  tables: readonly CanonicalTable[],
): Promise<HighestNumbers> {
  return {
    tasks: tables.includes("tasks") ? await highest(sql, dialect, "tasks", "number") : 0,
    handoffs: tables.includes("handoffs") ? await highest(sql, dialect, "handoffs", "number") : 0,
  };
}

export async function highest(
  sql: Sql,
  { project }: Dialect,
  table: CanonicalTable,
  column: string,
): Promise<number> {
  // Provisional numbers are given up with the delivery.
  const isGiven = table === "tasks" ? `AND ${column} < ${firstProvisional}` : "";
  const row = await sql.get<{ highest: number | null }>(
    `SELECT max(${column}) AS highest FROM ${table} WHERE ${project.owns(table)} ${isGiven}`,
  );
  return row?.highest ?? 0;
}
