import { fts5Statements } from "../lexical/lexical-fts5.js";
import type { Migration } from "./all-migrations.js";

export const versions1To4: readonly Migration[] = [
  [
    // 1
    `CREATE TABLE note_files (
      file_id INTEGER PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      stamp TEXT NOT NULL,
      digest TEXT
    )`,
    `CREATE TABLE notes (
      note_key INTEGER PRIMARY KEY,
      file_id INTEGER NOT NULL REFERENCES note_files (file_id),
      id TEXT NOT NULL,
      type TEXT NOT NULL,
      content TEXT NOT NULL,
      tags TEXT NOT NULL,
      tag_list TEXT NOT NULL,
      created TEXT NOT NULL,
      time BIGINT NOT NULL,
      likeness TEXT NOT NULL,
      block_print TEXT NOT NULL,
      block TEXT NOT NULL,
      tokens INTEGER NOT NULL,
      UNIQUE (file_id, id)
    )`,
    "CREATE INDEX notes_by_id ON notes (id)",
    "CREATE INDEX notes_by_likeness ON notes (file_id, type, likeness)",
    "CREATE INDEX notes_by_type ON notes (file_id, type, time DESC, note_key DESC)",
    "CREATE INDEX notes_by_time ON notes (file_id, time DESC, type, note_key DESC)",
    `CREATE TABLE added_sections (
      path TEXT NOT NULL,
      section TEXT NOT NULL,
      added TEXT NOT NULL,
      PRIMARY KEY (path, section)
    )`,
    "CREATE TABLE deleted_notes (id TEXT PRIMARY KEY, time TEXT NOT NULL)",
    "CREATE TABLE settings_cache (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, content TEXT NOT NULL)",
    ...fts5Statements,
  ],
  [
    // 2
    `CREATE TABLE tasks (
      number INTEGER PRIMARY KEY,
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
    )`,
    "CREATE INDEX tasks_by_status ON tasks (status, number)",
    `CREATE TABLE attempts (
      attempt_key INTEGER PRIMARY KEY,
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
    )`,
    `CREATE TABLE actions (
      action_key INTEGER PRIMARY KEY,
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
    )`,
    "CREATE INDEX actions_by_attempt ON actions (attempt_key, action_key)",
    "CREATE UNIQUE INDEX actions_once ON actions (attempt_key, idempotency_key)",
    `CREATE TABLE milestones (
      milestone_key INTEGER PRIMARY KEY,
      attempt_key INTEGER NOT NULL REFERENCES attempts (attempt_key),
      timestamp TEXT NOT NULL,
      event TEXT NOT NULL,
      details TEXT
    )`,
    "CREATE INDEX milestones_by_attempt ON milestones (attempt_key, milestone_key)",
    `CREATE TABLE quality_points (
      attempt_key INTEGER NOT NULL REFERENCES attempts (attempt_key),
      iteration INTEGER NOT NULL,
      quality DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (attempt_key, iteration)
    )`,
    `CREATE TABLE reflections (
      reflection_key INTEGER PRIMARY KEY,
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
    )`,
    "CREATE INDEX reflections_by_task ON reflections (task_number, reflection_key)",
  ],
  [
    // 3
    `CREATE TABLE iteration_results (
      attempt_key INTEGER NOT NULL REFERENCES attempts (attempt_key),
      iteration INTEGER NOT NULL,
      timestamp TEXT,
      success INTEGER,
      quality DOUBLE PRECISION,
      output TEXT,
      PRIMARY KEY (attempt_key, iteration)
    )`,
    "INSERT INTO iteration_results (attempt_key, iteration, quality) SELECT attempt_key, iteration, quality FROM quality_points",
    "DROP TABLE quality_points",
    "ALTER TABLE attempts ADD COLUMN plan_text TEXT",
    "ALTER TABLE attempts ADD COLUMN files TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE attempts ADD COLUMN memory_capacity INTEGER",
    "ALTER TABLE attempts ADD COLUMN actions_summary TEXT",
    "CREATE INDEX attempts_running ON attempts (task_number) WHERE ended IS NULL",
    "CREATE INDEX attempts_in_detail ON attempts (ended) WHERE actions_summary IS NULL",
    `CREATE TABLE packed_actions (
      attempt_key INTEGER PRIMARY KEY REFERENCES attempts (attempt_key),
      content BLOB NOT NULL
    )`,
    "ALTER TABLE tasks ADD COLUMN memory_capacity INTEGER",
    "ALTER TABLE tasks ADD COLUMN archived TEXT",
    "ALTER TABLE reflections ADD COLUMN rated_by TEXT",
    "ALTER TABLE reflections ADD COLUMN written_by TEXT",
    "ALTER TABLE reflections ADD COLUMN cost TEXT",
    `CREATE TABLE capacity_changes (
      change_key INTEGER PRIMARY KEY,
      task_number INTEGER NOT NULL REFERENCES tasks (number),
      attempt_id INTEGER NOT NULL,
      timestamp TEXT NOT NULL,
      from_capacity INTEGER NOT NULL,
      to_capacity INTEGER NOT NULL,
      reason TEXT NOT NULL
    )`,
    "CREATE INDEX capacity_changes_by_task ON capacity_changes (task_number, change_key)",
  ],
  [
    // 4
    `CREATE TABLE learnings (
      number INTEGER PRIMARY KEY,
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
    )`,
    "CREATE INDEX learnings_by_score ON learnings (type, task_type, score DESC, number) WHERE superseded_by IS NULL",
    "CREATE INDEX learnings_by_type ON learnings (type, score DESC, number) WHERE superseded_by IS NULL",
    "CREATE INDEX learnings_by_likeness ON learnings (type, task_type, likeness)",
    `CREATE TABLE learning_sources (
      learning_id TEXT NOT NULL,
      source TEXT NOT NULL,
      PRIMARY KEY (learning_id, source)
    )`,
    "CREATE INDEX learning_sources_by_source ON learning_sources (source)",
    `CREATE TABLE deleted_learnings (
      id TEXT PRIMARY KEY,
      likeness TEXT NOT NULL,
      time TEXT NOT NULL
    )`,
    "CREATE INDEX deleted_learnings_by_likeness ON deleted_learnings (likeness)",
    `CREATE TABLE staged_learnings (
      stage_key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      learning TEXT NOT NULL,
      status TEXT NOT NULL,
      staged_at TEXT NOT NULL,
      validated_at TEXT,
      rejection_reason TEXT
    )`,
    "CREATE INDEX staged_learnings_by_status ON staged_learnings (status, stage_key)",
    `CREATE TABLE links (
      from_id TEXT NOT NULL,
      to_id TEXT NOT NULL,
      relation TEXT NOT NULL,
      created TEXT NOT NULL,
      PRIMARY KEY (from_id, to_id, relation)
    )`,
    "CREATE INDEX links_by_target ON links (to_id)",
    `CREATE TABLE briefs (
      brief_key INTEGER PRIMARY KEY,
      task_id TEXT,
      created TEXT NOT NULL,
      is_holdout INTEGER NOT NULL
    )`,
    "CREATE INDEX briefs_by_task ON briefs (task_id)",
    `CREATE TABLE brief_records (
      brief_key INTEGER NOT NULL REFERENCES briefs (brief_key),
      record_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      place INTEGER NOT NULL,
      PRIMARY KEY (brief_key, record_id)
    )`,
    `CREATE TABLE credits (
      record_id TEXT NOT NULL,
      task_id TEXT NOT NULL,
      task_type TEXT NOT NULL,
      weight DOUBLE PRECISION NOT NULL,
      succeeded INTEGER NOT NULL,
      reason TEXT NOT NULL,
      created TEXT NOT NULL,
      PRIMARY KEY (record_id, task_id)
    )`,
    `CREATE TABLE task_results (
      task_id TEXT PRIMARY KEY,
      task_type TEXT NOT NULL,
      succeeded INTEGER NOT NULL
    )`,
    "CREATE INDEX task_results_by_type ON task_results (task_type, succeeded)",
  ],
];
