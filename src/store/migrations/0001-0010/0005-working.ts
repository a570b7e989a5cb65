import type { Migration } from "../migration.js";

export const workingMigration: Migration = {
  version: 5,
  async up(sql) {
    await sql.run(`CREATE TABLE ledgers (
      agent_id TEXT PRIMARY KEY,
      last_checkpoint TEXT NOT NULL,
      record TEXT NOT NULL
    )`);
    await sql.run(`CREATE TABLE handoffs (
      number INTEGER PRIMARY KEY,
      to_agent TEXT NOT NULL,
      record TEXT NOT NULL,
      accepted_at TEXT,
      accepted_by TEXT,
      delivered_at TEXT
    )`);
    await sql.run("CREATE INDEX handoffs_pending ON handoffs (to_agent) WHERE accepted_at IS NULL");
    await sql.run(
      "CREATE INDEX handoffs_undelivered ON handoffs (accepted_by) WHERE accepted_at IS NOT NULL AND delivered_at IS NULL",
    );
  },
};
