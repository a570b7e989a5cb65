import type { SqlValue } from "../sql.js";
import type { canonicalTables } from "../tables.js";
import { type Column, columnsOf } from "./columns.js";

/** Those of a dump: what waits for a server is meant for that server, and delivered by this machine. */
export type CanonicalTable = Exclude<(typeof canonicalTables)[number], "outbox">;

export type Row = Record<string, SqlValue>;

/** One row, and where it stands, for messages. */
export interface TableRow {
  table: CanonicalTable;
  row: Row;
  place?: string;
}

/** What a table is made of, and how its rows are told from each other. */
export interface TableShape {
  columns: Readonly<Record<string, Column>>;
  /** The columns by which rows are read: what belongs to one record comes together, in the order of storing. */
  order: readonly string[];
  /** A number that means nothing outside of the store: another store may give the row another one. */
  key?: string;
  /** A number that people know the record by; if it is taken by another record, the row gets the next free one. */
  number?: string;
  /** Columns that hold the key of a row of another table. */
  references?: Readonly<Record<string, CanonicalTable>>;
  /** Two rows are the same if they agree in these columns, by the first of which they are looked up; `order` if missing. */
  identity?: readonly string[];
  /** A column that tells a row from the others by itself, if it has a value. */
  name?: string;
  /** Columns that tell which of two versions of a row is the later one; the first that differ decide. */
  progress?: readonly string[];
}

/** Each table stands behind those that it refers to. */
const shapes: Record<CanonicalTable, TableShape> = {
  tasks: {
    columns:
      columnsOf(`number integer, uuid word, description text, completion_criteria text?, created word, updated word,
      completed word?, status word, total_attempts integer, tags texts, tag_list text, related_tasks texts, agent text?,
      phase text?, constraints texts, memory_capacity integer?, archived word?, made_by text?`),
    order: ["number"],
    number: "number",
    identity: ["uuid"],
    progress: ["total_attempts", "updated"],
  },
  runs: {
    columns:
      columnsOf(`run_key integer, task_number integer, options record, runner record, agent_process record?,
      started word, ended word?, end_kind word?, evidence text?, iterations integer, input_tokens integer,
      output_tokens integer, cost_usd real?, lease_until word?, made_by text?`),
    order: ["task_number", "run_key"],
    key: "run_key",
    references: { task_number: "tasks" },
    identity: ["task_number", "started", "runner"],
    progress: ["ended", "iterations", "lease_until"],
  },
  attempts: {
    columns:
      columnsOf(`attempt_key integer, task_number integer, id integer, started word, ended word?, plan record,
      agent text?, runner record?, iterations integer, actions_performed integer, outcome record?, errors records,
      artifacts texts, git_commit text?, plan_text text?, files texts, memory_capacity integer?, actions_summary text?,
      run_key integer?, made_by text?, seen_at word?`),
    order: ["attempt_key"],
    key: "attempt_key",
    references: { task_number: "tasks", run_key: "runs" },
    identity: ["task_number", "id"],
    progress: ["ended", "actions_performed", "iterations"],
  },
  actions: {
    columns:
      columnsOf(`action_key integer, attempt_key integer, idempotency_key word?, timestamp word, iteration integer,
      type word?, tool text, params record, success integer, output text?, error text?, reasoning text?,
      expected_outcome text?`),
    order: ["attempt_key", "action_key"],
    key: "action_key",
    references: { attempt_key: "attempts" },
    identity: [
      ...["attempt_key", "timestamp", "iteration", "type", "tool", "params", "success"],
      ...["output", "error", "reasoning", "expected_outcome"],
    ],
    name: "idempotency_key",
  },
  milestones: {
    columns: columnsOf(
      "milestone_key integer, attempt_key integer, timestamp word, event text, details text?",
    ),
    order: ["attempt_key", "milestone_key"],
    key: "milestone_key",
    references: { attempt_key: "attempts" },
    identity: ["attempt_key", "timestamp", "event", "details"],
  },
  packed_actions: {
    columns: columnsOf("attempt_key integer, content packed"),
    order: ["attempt_key"],
    references: { attempt_key: "attempts" },
  },
  iteration_results: {
    columns:
      columnsOf(`attempt_key integer, iteration integer, timestamp word?, success integer?, quality real?, output text?,
      said text?, trouble text?`),
    order: ["attempt_key", "iteration"],
    references: { attempt_key: "attempts" },
    progress: ["timestamp"],
  },
  reflections: {
    columns:
      columnsOf(`reflection_key integer, task_number integer, attempt_id integer, iteration integer?, timestamp word,
      observation text, analysis text, learning text, action_items texts, triggered_by word, reflection_type word,
      effectiveness word?, rated_by word?, written_by word?, cost record?`),
    order: ["task_number", "reflection_key"],
    key: "reflection_key",
    references: { task_number: "tasks" },
    identity: [
      ...["task_number", "attempt_id", "iteration", "timestamp", "observation", "analysis", "learning"],
      ...["action_items", "triggered_by", "reflection_type", "written_by", "cost"],
    ],
    // A person's rating counts more than one by outcome.
    progress: ["rated_by"],
  },
  capacity_changes: {
    columns:
      columnsOf(`change_key integer, task_number integer, attempt_id integer, timestamp word, from_capacity integer,
      to_capacity integer, reason text`),
    order: ["task_number", "change_key"],
    key: "change_key",
    references: { task_number: "tasks" },
    identity: ["task_number", "attempt_id", "timestamp", "from_capacity", "to_capacity", "reason"],
  },
  learnings: {
    columns:
      columnsOf(`number integer, id word, type word, task_type word, likeness text, confidence real, success_rate real,
      use_count integer, score real, created_at word, updated_at word, superseded_by word?, record record, checksum word`),
    order: ["number"],
    key: "number",
    identity: ["id"],
    progress: ["updated_at"],
  },
  learning_sources: {
    columns: columnsOf("learning_id word, source word"),
    order: ["learning_id", "source"],
  },
  staged_learnings: {
    columns:
      columnsOf(`stage_key integer, id word, learning record, status word, staged_at word, validated_at word?,
      rejection_reason text?, awaits_evidence integer?`),
    order: ["stage_key"],
    key: "stage_key",
    identity: ["id"],
    progress: ["validated_at"],
  },
  // Behind the learnings: none of them is left out because of a deletion that comes with it.
  deleted_learnings: {
    columns: columnsOf("id word, likeness text, time word"),
    order: ["id"],
  },
  links: {
    columns: columnsOf("from_id word, to_id word, relation word, created word"),
    order: ["from_id", "to_id", "relation"],
  },
  briefs: {
    columns: columnsOf("brief_key integer, task_id word?, created word, is_holdout integer"),
    order: ["brief_key"],
    key: "brief_key",
    identity: ["task_id", "created", "is_holdout"],
  },
  brief_records: {
    columns: columnsOf("brief_key integer, record_id word, kind word, place integer"),
    order: ["brief_key", "record_id"],
    references: { brief_key: "briefs" },
  },
  credits: {
    columns: columnsOf(
      "record_id word, task_id word, task_type word, weight real, succeeded integer, reason word, created word",
    ),
    order: ["record_id", "task_id"],
    progress: ["created"],
  },
  task_results: {
    columns: columnsOf("task_id word, task_type word, succeeded integer"),
    order: ["task_id"],
  },
  ledgers: {
    columns: columnsOf("agent_id word, last_checkpoint word, record record"),
    order: ["agent_id"],
    progress: ["last_checkpoint"],
  },
  handoffs: {
    columns: columnsOf(`number integer, to_agent word, record record, accepted_at word?, accepted_by word?,
      delivered_at word?, taken_by text?`),
    order: ["number"],
    number: "number",
    identity: ["record"],
    progress: ["accepted_at", "delivered_at"],
  },
  skill_uses: {
    columns: columnsOf("skill word, task_id word, attempt_id integer, succeeded integer, time word"),
    order: ["skill", "task_id", "attempt_id"],
  },
  foreign_records: {
    columns:
      columnsOf(`layout word, kind word, foreign_id word, record_id word?, file word, place integer, original json?,
      digest word?, imported word`),
    order: ["layout", "kind", "foreign_id"],
    identity: ["foreign_id", "layout", "kind"],
    progress: ["imported"],
  },
  added_sections: {
    columns: columnsOf("path word, section text, added word"),
    order: ["path", "section"],
  },
  deleted_notes: {
    columns: columnsOf("id word, time word"),
    order: ["id"],
  },
};

export const dumpedTables = Object.keys(shapes) as readonly CanonicalTable[];

/** They stay on this machine with the notes files that they are about. */
export const localTables: readonly CanonicalTable[] = ["added_sections", "deleted_notes"];

export const sharedTables = dumpedTables.filter((table) => !localTables.includes(table));

export function shapeOf(table: CanonicalTable): TableShape {
  return shapes[table];
}

export function isDumped(table: string): table is CanonicalTable {
  return Object.hasOwn(shapes, table);
}

/** The columns that say which row is meant within one store. */
export function idOf(table: CanonicalTable): readonly string[] {
  const { key, number, identity, order } = shapeOf(table);
  const own = key ?? number;
  return own === undefined ? (identity ?? order) : [own];
}
