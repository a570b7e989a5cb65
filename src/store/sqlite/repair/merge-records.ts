import { canonicalTables } from "../../tables.js";
import { rollBack } from "../roll-back.js";
import type { SqliteDatabase } from "../sqlite-driver.js";
import { isUnrelated } from "./lacking-records.js";
import { columnsOf } from "./table-columns.js";

interface MergeRule {
  /** What makes two rows the same record. */
  key: readonly string[];
  /** Whether the row of the attached database, `theirs`, replaces `ours`; without it, ours stays. */
  isNewer?: string;
}

const isFurther = (column: string) => `(theirs.${column} IS NOT NULL) > (ours.${column} IS NOT NULL)`;

/** Records are only ever added to or finished, so the one with more to it is the later one. */
const rules: Record<(typeof canonicalTables)[number], MergeRule> = {
  added_sections: { key: ["path", "section"] },
  deleted_notes: { key: ["id"] },
  tasks: {
    key: ["number"],
    isNewer: "(theirs.total_attempts, theirs.updated) > (ours.total_attempts, ours.updated)",
  },
  attempts: {
    key: ["attempt_key"],
    isNewer: `${isFurther("ended")} OR ${isFurther("actions_summary")} OR theirs.actions_performed > ours.actions_performed
      OR theirs.iterations > ours.iterations`,
  },
  actions: { key: ["action_key"] },
  milestones: { key: ["milestone_key"] },
  packed_actions: { key: ["attempt_key"] },
  iteration_results: { key: ["attempt_key", "iteration"], isNewer: "theirs.timestamp > ours.timestamp" },
  reflections: { key: ["reflection_key"], isNewer: isFurther("effectiveness") },
  capacity_changes: { key: ["change_key"] },
  learnings: { key: ["id"], isNewer: "theirs.updated_at > ours.updated_at" },
  learning_sources: { key: ["learning_id", "source"] },
  deleted_learnings: { key: ["id"] },
  staged_learnings: { key: ["id"], isNewer: isFurther("validated_at") },
  links: { key: ["from_id", "to_id", "relation"] },
  briefs: { key: ["brief_key"] },
  brief_records: { key: ["brief_key", "record_id"] },
  credits: { key: ["record_id", "task_id"], isNewer: "theirs.created > ours.created" },
  task_results: { key: ["task_id"] },
  ledgers: { key: ["agent_id"], isNewer: "theirs.last_checkpoint > ours.last_checkpoint" },
  handoffs: { key: ["number"], isNewer: `${isFurther("accepted_at")} OR ${isFurther("delivered_at")}` },
  skill_uses: { key: ["skill", "task_id", "attempt_id"] },
  foreign_records: { key: ["layout", "kind", "foreign_id"], isNewer: "theirs.imported > ours.imported" },
  outbox: { key: ["token"] },
  runs: { key: ["run_key"], isNewer: `${isFurther("ended")} OR theirs.iterations > ours.iterations` },
};

export type Merged = { kind: "merged"; added: number; replaced: number } | { kind: "unrelated" };

/** Adds to a database what another copy of it has and it lacks; the later version of a record stays. */
export function mergeRecords(target: SqliteDatabase, from: string): Merged {
  target.exec("PRAGMA foreign_keys = OFF");
  target.prepare("ATTACH ? AS other").run(from);
  try {
    return inTransaction(target, () =>
      isUnrelated(target, "other") ? { kind: "unrelated" } : mergeTables(target),
    );
  } finally {
    target.exec("DETACH other");
  }
}

function inTransaction<Result>(database: SqliteDatabase, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function mergeTables(target: SqliteDatabase): Merged {
  let added = 0;
  let replaced = 0;
  for (const table of canonicalTables) {
    const { key, isNewer } = rules[table];
    const theirColumns = columnsOf(target, table, "other");
    const columns = columnsOf(target, table, "main")
      .filter((column) => theirColumns.includes(column))
      .join(", ");
    if (columns === "") continue;
    let outdated = 0;
    if (isNewer !== undefined) {
      const isSame = key.map((column) => `theirs.${column} = ours.${column}`).join(" AND ");
      outdated = change(
        target,
        `DELETE FROM main.${table} AS ours WHERE EXISTS (SELECT 1 FROM other.${table} AS theirs WHERE ${isSame} AND (${isNewer}))`,
      );
    }
    const inserted = change(
      target,
      `INSERT OR IGNORE INTO main.${table} (${columns}) SELECT ${columns} FROM other.${table}`,
    );
    replaced += outdated;
    added += inserted - outdated;
  }
  settleMerged(target);
  return { kind: "merged", added, replaced };
}

/** What one side archived or deleted stays so, and a task knows of all its attempts, which are numbered by its count. */
export function settleMerged(target: SqliteDatabase): void {
  const last = "(SELECT max(id) FROM main.attempts WHERE task_number = tasks.number)";
  target.exec(
    `UPDATE main.tasks SET total_attempts = ${last}, row_check = NULL WHERE total_attempts < ${last}`,
  );
  target.exec("DELETE FROM main.actions WHERE attempt_key IN (SELECT attempt_key FROM main.packed_actions)");
  target.exec("DELETE FROM main.learnings WHERE id IN (SELECT id FROM main.deleted_learnings)");
}

function change(target: SqliteDatabase, statement: string): number {
  return Number(target.prepare(statement).run().changes);
}
