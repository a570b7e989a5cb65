import type { Migration } from "./migration.js";

/** Who did something, and when an attempt last gave a sign of life by the clock of the store. */
export const peopleMigration: Migration = {
  version: 15,
  async up(sql) {
    for (const table of ["tasks", "attempts", "runs"])
      await sql.run(`ALTER TABLE ${table} ADD COLUMN made_by TEXT`);
    await sql.run("ALTER TABLE attempts ADD COLUMN seen_at TEXT");
    await sql.run("ALTER TABLE handoffs ADD COLUMN taken_by TEXT");
  },
};
