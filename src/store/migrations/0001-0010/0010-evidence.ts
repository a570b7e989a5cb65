import type { Migration } from "../migration.js";

export const evidenceMigration: Migration = {
  version: 10,
  async up(sql) {
    await sql.run("ALTER TABLE staged_learnings ADD COLUMN awaits_evidence INTEGER");
    // The same statement is looked up whatever the task type.
    await sql.run("CREATE INDEX learnings_by_statement ON learnings (likeness, type)");
  },
};
