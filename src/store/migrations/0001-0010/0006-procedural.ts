import type { Migration } from "../migration.js";

export const proceduralMigration: Migration = {
  version: 6,
  async up(sql) {
    await sql.run(`CREATE TABLE skill_uses (
      skill TEXT NOT NULL,
      task_id TEXT NOT NULL,
      attempt_id INTEGER NOT NULL,
      succeeded INTEGER NOT NULL,
      time TEXT NOT NULL,
      PRIMARY KEY (skill, task_id, attempt_id)
    )`);
  },
};
