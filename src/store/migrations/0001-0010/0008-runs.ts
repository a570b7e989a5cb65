import type { Migration } from "../migration.js";

export const runsMigration: Migration = {
  version: 8,
  async up(sql, dialect) {
    await sql.run(`CREATE TABLE runs (
      run_key ${dialect.numberedKey},
      task_number INTEGER NOT NULL REFERENCES tasks (number),
      options TEXT NOT NULL,
      runner TEXT NOT NULL,
      agent_process TEXT,
      started TEXT NOT NULL,
      ended TEXT,
      end_kind TEXT,
      evidence TEXT,
      iterations INTEGER NOT NULL,
      input_tokens BIGINT NOT NULL,
      output_tokens BIGINT NOT NULL,
      cost_usd DOUBLE PRECISION
    )`);
    await sql.run("CREATE INDEX runs_by_task ON runs (task_number, run_key)");
    await sql.run("CREATE INDEX runs_under_way ON runs (run_key) WHERE ended IS NULL");
  },
};
