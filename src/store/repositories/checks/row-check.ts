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

/** Of all columns that have a value: a column that is added later changes nothing as long as it is empty. */
export function rowCheck(row: CheckedRow): string {
  const text = Object.entries(row)
    .filter(([column, value]) => column !== "row_check" && value !== null)
    .map(([column, value]) => `${column}=${typeof value === "object" ? bytesAsText(value) : value}`)
    .join("\u0000");
  return fingerprint(text);
}

function bytesAsText(bytes: Uint8Array | null): string {
  return bytes === null ? "" : Buffer.from(bytes).toString("latin1");
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
