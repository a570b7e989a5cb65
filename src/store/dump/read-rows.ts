import { firstProvisional } from "../../domain/tasks/task.js";
import type { Dialect } from "../dialect.js";
import { checkedTables, isRowIntact } from "../repositories/checks/row-check.js";
import { placeholders, type Sql } from "../sql.js";
import { shapeOf } from "./all-tables.js";
import type { CanonicalTable, Row, TableRow } from "./table-shape.js";

const rowsAtOnce = 200;

/**
 * All rows of some tables, a few at a time, so that a large store is never in memory as a whole. `onAltered` is called for a row
 * that something other than Ralph changed, as far as the store can tell.
 */
export async function* readRows(
  sql: Sql,
  dialect: Pick<Dialect, "project" | "hasRowChecks">,
  tables: readonly CanonicalTable[],
  onAltered?: (table: CanonicalTable) => void,
): AsyncGenerator<TableRow> {
  const { project } = dialect;
  for (const table of tables) {
    const { columns, order } = shapeOf(table);
    const isChecked =
      onAltered !== undefined && dialect.hasRowChecks && (checkedTables as readonly string[]).includes(table);
    const names = [...Object.keys(columns), ...(isChecked ? ["row_check"] : [])];
    const by = order.join(", ");
    const select = (condition: string) =>
      `SELECT ${names.join(", ")} FROM ${table} WHERE ${project.owns(table)} ${condition}
       ORDER BY ${by} LIMIT ${rowsAtOnce}`;
    const further = select(`AND (${by}) > ${placeholders(order)}`);
    let rows = await sql.all<Row>(select(""));
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      for (const { row_check: check = null, ...row } of rows) {
        if (isChecked && !isRowIntact({ ...row, row_check: check })) onAltered(table);
        yield { table, row };
      }
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
  { project }: Pick<Dialect, "project">,
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
  dialect: Pick<Dialect, "project">,
  tables: readonly CanonicalTable[],
): Promise<HighestNumbers> {
  return {
    tasks: tables.includes("tasks") ? await highest(sql, dialect, "tasks", "number") : 0,
    handoffs: tables.includes("handoffs") ? await highest(sql, dialect, "handoffs", "number") : 0,
  };
}

export async function highest(
  sql: Sql,
  { project }: Pick<Dialect, "project">,
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
