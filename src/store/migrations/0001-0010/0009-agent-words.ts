import type { Migration } from "../migration.js";

export const agentWordsMigration: Migration = {
  version: 9,
  async up(sql) {
    await sql.run("ALTER TABLE iteration_results ADD COLUMN said TEXT");
    await sql.run("ALTER TABLE iteration_results ADD COLUMN trouble TEXT");
  },
};
