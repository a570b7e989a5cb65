import type { Migration } from "../migration.js";

export const episodicMigration: Migration = {
  version: 2,
  async up(sql, dialect) {
    await sql.run(`CREATE TABLE tasks (
      number ${dialect.numberedKey},
      uuid TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL,
      completion_criteria TEXT,
      created TEXT NOT NULL,
      updated TEXT NOT NULL,
      completed TEXT,
      status TEXT NOT NULL,
      total_attempts INTEGER NOT NULL,
      tags TEXT NOT NULL,
      tag_list TEXT NOT NULL,
      related_tasks TEXT NOT NULL,
      agent TEXT,
      phase TEXT,
      constraints TEXT NOT NULL
    )`);
    await sql.run("CREATE INDEX tasks_by_status ON tasks (status, number)");
    await sql.run(`CREATE TABLE attempts (
      attempt_key ${dialect.numberedKey},
      task_number INTEGER NOT NULL REFERENCES tasks (number),
      id INTEGER NOT NULL,
      started TEXT NOT NULL,
      ended TEXT,
      plan TEXT NOT NULL,
      agent TEXT,
      runner TEXT,
      iterations INTEGER NOT NULL,
      actions_performed INTEGER NOT NULL,
      outcome TEXT,
      errors TEXT NOT NULL,
      artifacts TEXT NOT NULL,
      git_commit TEXT,
      UNIQUE (task_number, id)
    )`);
    await sql.run(`CREATE TABLE actions (
      action_key ${dialect.numberedKey},
      attempt_key INTEGER NOT NULL REFERENCES attempts (attempt_key),
      idempotency_key TEXT,
      timestamp TEXT NOT NULL,
      iteration INTEGER NOT NULL,
      type TEXT,
      tool TEXT NOT NULL,
      params TEXT NOT NULL,
      success INTEGER NOT NULL,
      output TEXT,
      error TEXT,
      reasoning TEXT,
      expected_outcome TEXT
    )`);
    await sql.run("CREATE INDEX actions_by_attempt ON actions (attempt_key, action_key)");
    await sql.run("CREATE UNIQUE INDEX actions_once ON actions (attempt_key, idempotency_key)");
    await sql.run(`CREATE TABLE milestones (
      milestone_key ${dialect.numberedKey},
      attempt_key INTEGER NOT NULL REFERENCES attempts (attempt_key),
      timestamp TEXT NOT NULL,
      event TEXT NOT NULL,
      details TEXT
    )`);
    await sql.run("CREATE INDEX milestones_by_attempt ON milestones (attempt_key, milestone_key)");
    await sql.run(`CREATE TABLE quality_points (
      attempt_key INTEGER NOT NULL REFERENCES attempts (attempt_key),
      iteration INTEGER NOT NULL,
      quality DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (attempt_key, iteration)
    )`);
    await sql.run(`CREATE TABLE reflections (
      reflection_key ${dialect.numberedKey},
      task_number INTEGER NOT NULL REFERENCES tasks (number),
      attempt_id INTEGER NOT NULL,
      iteration INTEGER,
      timestamp TEXT NOT NULL,
      observation TEXT NOT NULL,
      analysis TEXT NOT NULL,
      learning TEXT NOT NULL,
      action_items TEXT NOT NULL,
      triggered_by TEXT NOT NULL,
      reflection_type TEXT NOT NULL,
      effectiveness TEXT
    )`);
    await sql.run("CREATE INDEX reflections_by_task ON reflections (task_number, reflection_key)");
  },
};
