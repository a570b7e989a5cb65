import { integer, maybe, real, record, text, word } from "./columns.js";
import type { TableShape } from "./table-shape.js";

export const knowledgeTables = {
  learnings: {
    columns: {
      number: integer,
      id: word,
      type: word,
      task_type: word,
      likeness: text,
      confidence: real,
      success_rate: real,
      use_count: integer,
      score: real,
      created_at: word,
      updated_at: word,
      superseded_by: maybe.word,
      record,
      checksum: word,
    },
    order: ["number"],
    key: "number",
    progress: ["updated_at"],
  },
  learning_sources: {
    columns: { learning_id: word, source: word },
    order: ["learning_id", "source"],
  },
  staged_learnings: {
    columns: {
      stage_key: integer,
      id: word,
      learning: record,
      status: word,
      staged_at: word,
      validated_at: maybe.word,
      rejection_reason: maybe.text,
      awaits_evidence: maybe.integer,
    },
    order: ["stage_key"],
    key: "stage_key",
    progress: ["validated_at"],
  },
  // Behind the learnings: none of them is left out because of a deletion that comes with it.
  deleted_learnings: {
    columns: { id: word, likeness: text, time: word },
    order: ["id"],
  },
  links: {
    columns: { from_id: word, to_id: word, relation: word, created: word },
    order: ["from_id", "to_id", "relation"],
  },
  briefs: {
    columns: { brief_key: integer, task_id: maybe.word, created: word, is_holdout: integer },
    order: ["brief_key"],
    key: "brief_key",
    group: { by: "task_id", identity: ["created", "is_holdout"], isScattered: true },
  },
  brief_records: {
    columns: { brief_key: integer, record_id: word, kind: word, place: integer },
    order: ["brief_key", "record_id"],
    references: { brief_key: "briefs" },
  },
  credits: {
    columns: {
      record_id: word,
      task_id: word,
      task_type: word,
      weight: real,
      succeeded: integer,
      reason: word,
      created: word,
    },
    order: ["record_id", "task_id"],
    progress: ["created"],
  },
  task_results: {
    columns: { task_id: word, task_type: word, succeeded: integer },
    order: ["task_id"],
  },
  ledgers: {
    columns: { agent_id: word, last_checkpoint: word, record },
    order: ["agent_id"],
    progress: ["last_checkpoint"],
  },
  handoffs: {
    columns: {
      number: integer,
      to_agent: word,
      record,
      accepted_at: maybe.word,
      accepted_by: maybe.word,
      delivered_at: maybe.word,
      taken_by: maybe.text,
    },
    order: ["number"],
    progress: ["accepted_at", "delivered_at"],
  },
  skill_uses: {
    columns: { skill: word, task_id: word, attempt_id: integer, succeeded: integer, time: word },
    order: ["skill", "task_id", "attempt_id"],
  },
  foreign_records: {
    columns: {
      layout: word,
      kind: word,
      foreign_id: word,
      record_id: maybe.word,
      file: word,
      place: integer,
      original: maybe.json,
      digest: maybe.word,
      imported: word,
    },
    order: ["layout", "kind", "foreign_id"],
    progress: ["imported"],
  },
} satisfies Record<string, TableShape>;

/** What this machine knows about its notes files. */
export const noteTables = {
  added_sections: {
    columns: { path: word, section: text, added: word },
    order: ["path", "section"],
  },
  deleted_notes: {
    columns: { id: word, time: word },
    order: ["id"],
  },
} satisfies Record<string, TableShape>;
