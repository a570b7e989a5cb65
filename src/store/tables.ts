/** Tables whose rows exist nowhere else: they are backed up, and salvaged if the database is damaged. */
export const canonicalTables = [
  "added_sections",
  "deleted_notes",
  "tasks",
  "attempts",
  "actions",
  "milestones",
  "packed_actions",
  "iteration_results",
  "reflections",
  "capacity_changes",
  "learnings",
  "learning_sources",
  "deleted_learnings",
  "staged_learnings",
  "links",
  "briefs",
  "brief_records",
  "credits",
  "task_results",
  "ledgers",
  "handoffs",
  "skill_uses",
  "foreign_records",
  "runs",
  "outbox",
] as const;

/** Tables that can be rebuilt from the files, in an order that keeps foreign keys valid. */
export const derivedTables = ["notes", "note_files", "settings_cache", "vectors", "frequent_words"] as const;
