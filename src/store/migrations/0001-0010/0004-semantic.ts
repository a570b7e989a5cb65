import type { Migration } from "../migration.js";

export const semanticMigration: Migration = {
  version: 4,
  async up(sql, dialect) {
    await sql.run(`CREATE TABLE learnings (
      number ${dialect.numberedKey},
      id TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL,
      task_type TEXT NOT NULL,
      likeness TEXT NOT NULL,
      confidence DOUBLE PRECISION NOT NULL,
      success_rate DOUBLE PRECISION NOT NULL,
      use_count INTEGER NOT NULL,
      score DOUBLE PRECISION NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      superseded_by TEXT,
      record TEXT NOT NULL,
      checksum TEXT NOT NULL
    )`);
    await sql.run(
      "CREATE INDEX learnings_by_score ON learnings (type, task_type, score DESC, number) WHERE superseded_by IS NULL",
    );
    await sql.run(
      "CREATE INDEX learnings_by_type ON learnings (type, score DESC, number) WHERE superseded_by IS NULL",
    );
    await sql.run("CREATE INDEX learnings_by_likeness ON learnings (type, task_type, likeness)");
    await sql.run(`CREATE TABLE learning_sources (
      learning_id TEXT NOT NULL,
      source TEXT NOT NULL,
      PRIMARY KEY (learning_id, source)
    )`);
    await sql.run("CREATE INDEX learning_sources_by_source ON learning_sources (source)");
    await sql.run(`CREATE TABLE deleted_learnings (
      id TEXT PRIMARY KEY,
      likeness TEXT NOT NULL,
      time TEXT NOT NULL
    )`);
    await sql.run("CREATE INDEX deleted_learnings_by_likeness ON deleted_learnings (likeness)");
    await sql.run(`CREATE TABLE staged_learnings (
      stage_key ${dialect.numberedKey},
      id TEXT NOT NULL UNIQUE,
      learning TEXT NOT NULL,
      status TEXT NOT NULL,
      staged_at TEXT NOT NULL,
      validated_at TEXT,
      rejection_reason TEXT
    )`);
    await sql.run("CREATE INDEX staged_learnings_by_status ON staged_learnings (status, stage_key)");
    await sql.run(`CREATE TABLE links (
      from_id TEXT NOT NULL,
      to_id TEXT NOT NULL,
      relation TEXT NOT NULL,
      created TEXT NOT NULL,
      PRIMARY KEY (from_id, to_id, relation)
    )`);
    await sql.run("CREATE INDEX links_by_target ON links (to_id)");
    await sql.run(`CREATE TABLE briefs (
      brief_key ${dialect.numberedKey},
      task_id TEXT,
      created TEXT NOT NULL,
      is_holdout INTEGER NOT NULL
    )`);
    await sql.run("CREATE INDEX briefs_by_task ON briefs (task_id)");
    await sql.run(`CREATE TABLE brief_records (
      brief_key INTEGER NOT NULL REFERENCES briefs (brief_key),
      record_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      place INTEGER NOT NULL,
      PRIMARY KEY (brief_key, record_id)
    )`);
    await sql.run(`CREATE TABLE credits (
      record_id TEXT NOT NULL,
      task_id TEXT NOT NULL,
      task_type TEXT NOT NULL,
      weight DOUBLE PRECISION NOT NULL,
      succeeded INTEGER NOT NULL,
      reason TEXT NOT NULL,
      created TEXT NOT NULL,
      PRIMARY KEY (record_id, task_id)
    )`);
    await sql.run(`CREATE TABLE task_results (
      task_id TEXT PRIMARY KEY,
      task_type TEXT NOT NULL,
      succeeded INTEGER NOT NULL
    )`);
    await sql.run("CREATE INDEX task_results_by_type ON task_results (task_type, succeeded)");
  },
};
