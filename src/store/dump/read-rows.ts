import { firstProvisional, taskIdOf } from "../../domain/tasks/task.js";
import type { Dialect } from "../dialect.js";
import { placeholders, type Sql, type SqlValue } from "../sql.js";
import { type CanonicalTable, type Row, shapeOf, type TableRow } from "./table-shapes.js";

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

/** All rows that belong to one task, in the order in which they can be loaded. What was learned from it is not among them. */
export async function readTaskRows(sql: Sql, dialect: Dialect, taskNumber: number): Promise<TableRow[]> {
  const found: TableRow[] = [];
  for (const [table, condition, value] of partsOfTask(dialect, taskNumber)) {
    const { columns, order } = shapeOf(table);
    const rows = await sql.all<Row>(
      `SELECT ${Object.keys(columns).join(", ")} FROM ${table} WHERE ${dialect.project.owns(table)} AND ${condition} ORDER BY ${order.join(", ")}`,
      value,
    );
    found.push(...rows.map((row) => ({ table, row: { ...row } })));
  }
  return found;
}

export async function deleteTaskRows(sql: Sql, dialect: Dialect, taskNumber: number): Promise<void> {
  for (const [table, condition, value] of partsOfTask(dialect, taskNumber).reverse())
    await sql.run(`DELETE FROM ${table} WHERE ${dialect.project.owns(table)} AND ${condition}`, value);
}

/** The tables with rows of a task, and which of their rows are its. */
function partsOfTask({ project }: Dialect, number: number): [CanonicalTable, string, SqlValue][] {
  const id = taskIdOf(number);
  const ofAttempts = `attempt_key IN (SELECT attempt_key FROM attempts WHERE ${project.owns("attempts")} AND task_number = ?)`;
  const ofBriefs = `brief_key IN (SELECT brief_key FROM briefs WHERE ${project.owns("briefs")} AND task_id = ?)`;
  return [
    ["tasks", "number = ?", number],
    ["runs", "task_number = ?", number],
    ["attempts", "task_number = ?", number],
    ["actions", ofAttempts, number],
    ["milestones", ofAttempts, number],
    ["packed_actions", ofAttempts, number],
    ["iteration_results", ofAttempts, number],
    ["reflections", "task_number = ?", number],
    ["capacity_changes", "task_number = ?", number],
    ["briefs", "task_id = ?", id],
    ["brief_records", ofBriefs, id],
    ["ledgers", "record LIKE ?", `%"${id}"%`],
    ["skill_uses", "task_id = ?", id],
  ];
}
