import type { Migration } from "./migration.js";

/** Tasks are listed by when they were worked on last; a notes file with merge conflicts is known as such without reading it. */
export const lastWorkedOnMigration: Migration = {
  version: 16,
  async up(sql) {
    await sql.run("DROP INDEX tasks_by_status");
    await sql.run("CREATE INDEX tasks_by_status ON tasks (status, updated, number)");
    await sql.run("CREATE INDEX tasks_by_update ON tasks (updated, number)");
    await sql.run("ALTER TABLE note_files ADD COLUMN conflicts TEXT");
  },
};
