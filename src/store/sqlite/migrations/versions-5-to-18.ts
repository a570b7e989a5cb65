import { frequentWordsTable } from "../lexical/fts5-query.js";
import type { Migration } from "./all-migrations.js";

export const versions5To18: readonly Migration[] = [
  [
    // 5
    `CREATE TABLE ledgers (
      agent_id TEXT PRIMARY KEY,
      last_checkpoint TEXT NOT NULL,
      record TEXT NOT NULL
    )`,
    `CREATE TABLE handoffs (
      number INTEGER PRIMARY KEY,
      to_agent TEXT NOT NULL,
      record TEXT NOT NULL,
      accepted_at TEXT,
      accepted_by TEXT,
      delivered_at TEXT
    )`,
    "CREATE INDEX handoffs_pending ON handoffs (to_agent) WHERE accepted_at IS NULL",
    "CREATE INDEX handoffs_undelivered ON handoffs (accepted_by) WHERE accepted_at IS NOT NULL AND delivered_at IS NULL",
  ],
  [
    // 6
    `CREATE TABLE skill_uses (
      skill TEXT NOT NULL,
      task_id TEXT NOT NULL,
      attempt_id INTEGER NOT NULL,
      succeeded INTEGER NOT NULL,
      time TEXT NOT NULL,
      PRIMARY KEY (skill, task_id, attempt_id)
    )`,
  ],
  [
    // 7
    `CREATE TABLE vectors (
      vector_key INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      source TEXT NOT NULL,
      model TEXT NOT NULL,
      dimensions INTEGER NOT NULL,
      print TEXT NOT NULL,
      scale DOUBLE PRECISION NOT NULL,
      bytes BLOB NOT NULL,
      UNIQUE (kind, id, source)
    )`,
  ],
  [
    // 8
    `CREATE TABLE runs (
      run_key INTEGER PRIMARY KEY,
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
    )`,
    "CREATE INDEX runs_by_task ON runs (task_number, run_key)",
    "CREATE INDEX runs_under_way ON runs (run_key) WHERE ended IS NULL",
  ],
  [
    // 9
    "ALTER TABLE iteration_results ADD COLUMN said TEXT",
    "ALTER TABLE iteration_results ADD COLUMN trouble TEXT",
  ],
  [
    // 10
    "ALTER TABLE staged_learnings ADD COLUMN awaits_evidence INTEGER",
    // The same statement is looked up whatever the task type.
    "CREATE INDEX learnings_by_statement ON learnings (likeness, type)",
  ],
  [
    // 11
    "ALTER TABLE runs ADD COLUMN lease_until TEXT",
    "ALTER TABLE attempts ADD COLUMN run_key INTEGER",
    // Until now an attempt and its run had only their process in common.
    `UPDATE attempts SET run_key = (
        SELECT max(runs.run_key) FROM runs
        WHERE runs.task_number = attempts.task_number AND runs.runner = attempts.runner AND runs.ended IS NULL
      ) WHERE ended IS NULL`,
  ],
  [
    // 12
    // Later versions do not use these columns.
    ...[
      ...["tasks", "attempts", "actions", "milestones", "packed_actions", "iteration_results", "reflections"],
      ...["capacity_changes", "staged_learnings", "links", "briefs", "credits", "task_results", "ledgers"],
      ...["handoffs", "skill_uses", "runs"],
    ].map((table) => `ALTER TABLE ${table} ADD COLUMN row_check TEXT`),
  ],
  [
    // 13
    `CREATE TABLE outbox (
      number INTEGER PRIMARY KEY,
      token TEXT NOT NULL UNIQUE,
      kept TEXT NOT NULL,
      entry TEXT NOT NULL
    )`,
  ],
  [
    // 14
    `CREATE TABLE foreign_records (
      layout TEXT NOT NULL,
      kind TEXT NOT NULL,
      foreign_id TEXT NOT NULL,
      record_id TEXT,
      file TEXT NOT NULL,
      place INTEGER NOT NULL,
      original TEXT,
      digest TEXT,
      imported TEXT NOT NULL,
      row_check TEXT,
      PRIMARY KEY (layout, kind, foreign_id)
    )`,
    "CREATE INDEX foreign_records_by_record ON foreign_records (layout, record_id)",
  ],
  [
    // 15
    ...["tasks", "attempts", "runs"].map((table) => `ALTER TABLE ${table} ADD COLUMN made_by TEXT`),
    "ALTER TABLE attempts ADD COLUMN seen_at TEXT",
    "ALTER TABLE handoffs ADD COLUMN taken_by TEXT",
  ],
  [
    // 16
    "DROP INDEX tasks_by_status",
    "CREATE INDEX tasks_by_status ON tasks (status, updated, number)",
    "CREATE INDEX tasks_by_update ON tasks (updated, number)",
    "ALTER TABLE note_files ADD COLUMN conflicts TEXT",
  ],
  [
    // 17
    // New databases have the table with their index.
    frequentWordsTable,
  ],
  [
    // 18: rows have no check values any more; an earlier Ralph would take what this one writes for damage.
  ],
];
