import type { Migration } from "./migration.js";

export const leasesMigration: Migration = {
  version: 11,
  async up(sql) {
    await sql.run("ALTER TABLE runs ADD COLUMN lease_until TEXT");
    await sql.run("ALTER TABLE attempts ADD COLUMN run_key INTEGER");
    // Until now an attempt and its run had only their process in common.
    await sql.run(`UPDATE attempts SET run_key = (
        SELECT max(runs.run_key) FROM runs
        WHERE runs.task_number = attempts.task_number AND runs.runner = attempts.runner AND runs.ended IS NULL
      ) WHERE ended IS NULL`);
  },
};
