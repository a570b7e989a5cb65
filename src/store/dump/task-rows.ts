import { taskIdOf } from "../../domain/tasks/task.js";
import type { Dialect } from "../dialect.js";
import type { Sql, SqlValue } from "../sql.js";
import { shapeOf } from "./all-tables.js";
import type { CanonicalTable, Row, TableRow } from "./table-shape.js";

type Project = Dialect;

/** All rows that belong to one task, in the order in which they can be loaded. What was learned from it is not among them. */
export async function readTaskRows(sql: Sql, dialect: Project, taskNumber: number): Promise<TableRow[]> {
  const found: TableRow[] = [];
  for (const { table, condition, values } of partsOf(dialect, taskNumber)) {
    const { columns, order } = shapeOf(table);
    const rows = await sql.all<Row>(
      `SELECT ${Object.keys(columns).join(", ")} FROM ${table} WHERE ${dialect.project.owns(table)} AND ${condition} ORDER BY ${order.join(", ")}`,
      ...values,
    );
    found.push(...rows.map((row) => ({ table, row: { ...row } })));
  }
  return found;
}

export async function deleteTaskRows(sql: Sql, dialect: Project, taskNumber: number): Promise<void> {
  for (const { table, condition, values } of partsOf(dialect, taskNumber).toReversed())
    await sql.run(`DELETE FROM ${table} WHERE ${dialect.project.owns(table)} AND ${condition}`, ...values);
}

interface Part {
  table: CanonicalTable;
  condition: string;
  values: SqlValue[];
}

function partsOf({ project }: Project, taskNumber: number): Part[] {
  const id = taskIdOf(taskNumber);
  const byNumber = (table: CanonicalTable): Part => ({
    table,
    condition: "task_number = ?",
    values: [taskNumber],
  });
  const byAttempt = (table: CanonicalTable): Part => ({
    table,
    condition: `attempt_key IN (SELECT attempt_key FROM attempts WHERE ${project.owns("attempts")} AND task_number = ?)`,
    values: [taskNumber],
  });
  return [
    { table: "tasks", condition: "number = ?", values: [taskNumber] },
    ...(["runs", "attempts"] as const).map(byNumber),
    ...(["actions", "milestones", "packed_actions", "iteration_results"] as const).map(byAttempt),
    ...(["reflections", "capacity_changes"] as const).map(byNumber),
    { table: "briefs", condition: "task_id = ?", values: [id] },
    {
      table: "brief_records",
      condition: `brief_key IN (SELECT brief_key FROM briefs WHERE ${project.owns("briefs")} AND task_id = ?)`,
      values: [id],
    },
    { table: "ledgers", condition: "record LIKE ?", values: [`%"${id}"%`] },
    { table: "skill_uses", condition: "task_id = ?", values: [id] },
  ];
}
