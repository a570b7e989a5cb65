import { fingerprint } from "../../../text/fingerprint.js";
import type { SqlValue } from "../../sql.js";

/** Canonical tables whose rows carry a check value; learnings have a checksum of their own. */
export const checkedTables = [
  "tasks",
  "attempts",
  "actions",
  "milestones",
  "packed_actions",
  "iteration_results",
  "reflections",
  "capacity_changes",
  "staged_learnings",
  "links",
  "briefs",
  "credits",
  "task_results",
  "ledgers",
  "handoffs",
  "skill_uses",
  "foreign_records",
  "runs",
] as const;

export type CheckedRow = Record<string, SqlValue>;

/** The name under which the number of a row is selected beside its columns; it is none of them. */
export const rowNumber = "row_at";

/** Of all columns that have a value: a column that is added later changes nothing as long as it is empty. */
export function rowCheck(row: CheckedRow): string {
  let text = "";
  // Hundreds of thousands of rows are checked before a backup, so there is no list of their columns.
  for (const column in row) {
    const value = row[column];
    if (value === null || column === "row_check" || column === rowNumber) continue;
    if (text !== "") text += "\u0000";
    text += `${column}=${typeof value === "object" ? bytesAsText(value) : value}`;
  }
  return fingerprint(text);
}

function bytesAsText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** A row without a check value was written by an earlier version, and nothing is known about it. */
export function isRowIntact(row: CheckedRow): boolean {
  return row.row_check === null || row.row_check === undefined || row.row_check === rowCheck(row);
}

/** Columns with JSON in them; a row is no record any more if one of them cannot be read. */
const jsonColumns: Record<string, readonly string[]> = {
  tasks: ["tags", "related_tasks", "constraints"],
  attempts: ["plan", "errors", "artifacts", "files", "outcome", "runner"],
  actions: ["params"],
  reflections: ["action_items", "cost"],
  runs: ["options", "runner", "agent_process"],
  learnings: ["record"],
  staged_learnings: ["learning"],
  ledgers: ["record"],
  handoffs: ["record"],
  foreign_records: ["original"],
};

export function isRowReadable(table: string, row: CheckedRow): boolean {
  return (jsonColumns[table] ?? []).every((column) => {
    const value = row[column];
    if (value === null || value === undefined || value === "") return true;
    try {
      JSON.parse(String(value));
      return true;
    } catch {
      return false;
    }
  });
}
