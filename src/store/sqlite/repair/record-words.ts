import { taskIdOf } from "../../../domain/tasks/task.js";
import { handoffIdOf } from "../../../domain/working.js";
import type { CheckedRow } from "../../repositories/checks/row-check.js";
import type { canonicalTables } from "../../tables.js";

type Table = (typeof canonicalTables)[number];

interface RecordWords {
  /** In the singular. */
  kind: string;
  /** The column that tells a record from others of its kind. */
  key?: string;
  /** What stands before the key, if not the kind. */
  noun?: string;
}

const words: Record<Table, RecordWords> = {
  tasks: { kind: "task" },
  attempts: { kind: "attempt", key: "id" },
  actions: { kind: "action", key: "action_key" },
  milestones: { kind: "milestone", key: "milestone_key" },
  packed_actions: { kind: "archived attempt", key: "attempt_key", noun: "archived actions of attempt" },
  iteration_results: { kind: "iteration result", key: "iteration", noun: "result of iteration" },
  reflections: { kind: "reflection", key: "reflection_key" },
  capacity_changes: { kind: "capacity change", key: "change_key" },
  learnings: { kind: "learning" },
  staged_learnings: { kind: "staged learning" },
  links: { kind: "link", key: "from_id", noun: "link from" },
  briefs: { kind: "brief", key: "brief_key" },
  credits: { kind: "credit", key: "record_id", noun: "credit of" },
  task_results: { kind: "task result", key: "task_id", noun: "result of" },
  ledgers: { kind: "ledger", key: "agent_id", noun: "ledger of" },
  handoffs: { kind: "handoff" },
  skill_uses: { kind: "skill use", key: "skill", noun: "use of skill" },
  foreign_records: { kind: "foreign record", key: "foreign_id" },
  runs: { kind: "run", key: "run_key" },
  outbox: { kind: "waiting entry", key: "number" },
  learning_sources: { kind: "other row" },
  deleted_learnings: { kind: "other row" },
  deleted_notes: { kind: "other row" },
  added_sections: { kind: "other row" },
  brief_records: { kind: "other row" },
};

/** In the singular, such as "task". */
export function kindOf(table: Table): string {
  return words[table].kind;
}

/** As people know it, as far as the row tells. */
export function nameOfRow(table: Table, row: CheckedRow): string {
  if (table === "tasks") return taskIdOf(Number(row.number));
  if (table === "handoffs") return handoffIdOf(Number(row.number));
  const { kind, key = "id", noun = kind } = words[table];
  const task = typeof row.task_number === "number" ? ` of ${taskIdOf(row.task_number)}` : "";
  return `${noun} ${row[key]}${task}`;
}
