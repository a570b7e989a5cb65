import type { Migration } from "../migration.js";

export const iterationsAndArchiveMigration: Migration = {
  version: 3,
  async up(sql, dialect) {
    await sql.run(`CREATE TABLE iteration_results (
      attempt_key INTEGER NOT NULL REFERENCES attempts (attempt_key),
      iteration INTEGER NOT NULL,
      timestamp TEXT,
      success INTEGER,
      quality DOUBLE PRECISION,
      output TEXT,
      PRIMARY KEY (attempt_key, iteration)
    )`);
    await sql.run(
      "INSERT INTO iteration_results (attempt_key, iteration, quality) SELECT attempt_key, iteration, quality FROM quality_points",
    );
    await sql.run("DROP TABLE quality_points");
    await sql.run("ALTER TABLE attempts ADD COLUMN plan_text TEXT");
    await sql.run("ALTER TABLE attempts ADD COLUMN files TEXT NOT NULL DEFAULT '[]'");
    await sql.run("ALTER TABLE attempts ADD COLUMN memory_capacity INTEGER");
    await sql.run("ALTER TABLE attempts ADD COLUMN actions_summary TEXT");
    await sql.run("CREATE INDEX attempts_running ON attempts (task_number) WHERE ended IS NULL");
    await sql.run("CREATE INDEX attempts_in_detail ON attempts (ended) WHERE actions_summary IS NULL");
    await sql.run(`CREATE TABLE packed_actions (
      attempt_key INTEGER PRIMARY KEY REFERENCES attempts (attempt_key),
      content ${dialect.bytes} NOT NULL
    )`);
    await sql.run("ALTER TABLE tasks ADD COLUMN memory_capacity INTEGER");
    await sql.run("ALTER TABLE tasks ADD COLUMN archived TEXT");
    await sql.run("ALTER TABLE reflections ADD COLUMN rated_by TEXT");
    await sql.run("ALTER TABLE reflections ADD COLUMN written_by TEXT");
    await sql.run("ALTER TABLE reflections ADD COLUMN cost TEXT");
    await sql.run(`CREATE TABLE capacity_changes (
      change_key ${dialect.numberedKey},
      task_number INTEGER NOT NULL REFERENCES tasks (number),
      attempt_id INTEGER NOT NULL,
      timestamp TEXT NOT NULL,
      from_capacity INTEGER NOT NULL,
      to_capacity INTEGER NOT NULL,
      reason TEXT NOT NULL
    )`);
    await sql.run("CREATE INDEX capacity_changes_by_task ON capacity_changes (task_number, change_key)");
  },
};
