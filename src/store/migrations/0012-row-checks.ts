import type { Migration } from "./migration.js";

/** The tables as they were at this version; one that came later has the column in its CREATE TABLE. */
const tables = [
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
  "runs",
];

/** Rows from before have no check value. A later migration that changes rows must set theirs to NULL. */
export const rowChecksMigration: Migration = {
  version: 12,
  async up(sql) {
    for (const table of tables) await sql.run(`ALTER TABLE ${table} ADD COLUMN row_check TEXT`);
  },
};
