import { taskIdOf } from "../../../domain/tasks/task.js";
import { handoffIdOf } from "../../../domain/working/handoff.js";
import {
  type CheckedRow,
  type CheckedTable,
  checkedTables,
  isRowIntact,
  isRowReadable,
} from "../../repositories/checks/row-check.js";
import type { Sql } from "../../sql.js";

const rowsAtOnce = 500;

/** Names of records that do not match their check values: damaged, or changed by another program. */
export async function findAlteredRecords(sql: Sql): Promise<string[]> {
  const names: string[] = [];
  for (const table of checkedTables) {
    for (let last: number | undefined = Number.MIN_SAFE_INTEGER; last !== undefined; ) {
      const rows: (CheckedRow & { row_at: number })[] = await sql.all(
        `SELECT rowid AS row_at, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`,
        last,
      );
      for (const { row_at: _, ...row } of rows)
        if (!isRowIntact(row) || !isRowReadable(table, row)) names.push(nameOfRow(table, row));
      const next = rows.at(-1)?.row_at;
      // Only a damaged tree goes back.
      last = next !== undefined && next > last ? next : undefined;
    }
  }
  const unreadable = "SELECT id FROM learnings WHERE NOT json_valid(record)";
  for (const { id } of await sql.all<{ id: string }>(unreadable)) names.push(`learning ${id}`);
  return names;
}

const nouns: Partial<Record<CheckedTable, [noun: string, key: string]>> = {
  actions: ["action", "action_key"],
  milestones: ["milestone", "milestone_key"],
  packed_actions: ["archived actions of attempt", "attempt_key"],
  iteration_results: ["result of iteration", "iteration"],
  reflections: ["reflection", "reflection_key"],
  capacity_changes: ["capacity change", "change_key"],
  staged_learnings: ["staged learning", "id"],
  links: ["link from", "from_id"],
  briefs: ["brief", "brief_key"],
  credits: ["credit of", "record_id"],
  task_results: ["result of", "task_id"],
  ledgers: ["ledger of", "agent_id"],
  skill_uses: ["use of skill", "skill"],
  runs: ["run", "run_key"],
};

/** As people know it, as far as the row tells. */
export function nameOfRow(table: CheckedTable, row: CheckedRow): string {
  const task = typeof row.task_number === "number" ? ` of ${taskIdOf(row.task_number)}` : "";
  if (table === "tasks") return taskIdOf(Number(row.number));
  if (table === "attempts") return `attempt ${row.id}${task}`;
  if (table === "handoffs") return handoffIdOf(Number(row.number));
  const [noun, key] = nouns[table] ?? [table, "id"];
  return `${noun} ${row[key]}${task}`;
}
