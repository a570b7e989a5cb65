import type { Learning } from "../../domain/knowledge/learning.js";
import { isIntact, recordChecksum } from "../../semantic/records/checksum.js";
import type { ColumnKind } from "../../store/dump/columns.js";
import type { LoadOptions } from "../../store/dump/load-rows.js";
import type { CanonicalTable, Row } from "../../store/dump/table-shapes.js";
import { shapeOf } from "../../store/dump/table-shapes.js";
import { redactingRecords } from "../health/secret-records.js";

type Renamed = ReadonlyMap<string, string>;

/** Columns with the id of a task or an attempt. */
const idColumns: Partial<Record<CanonicalTable, readonly string[]>> = {
  learning_sources: ["source"],
  links: ["from_id", "to_id"],
  briefs: ["task_id"],
  brief_records: ["record_id"],
  credits: ["record_id", "task_id"],
  task_results: ["task_id"],
  skill_uses: ["task_id"],
  foreign_records: ["record_id"],
};

/** Columns with such ids somewhere in them. */
const recordColumns: Partial<Record<CanonicalTable, string>> = {
  learnings: "record",
  staged_learnings: "learning",
  ledgers: "record",
  handoffs: "record",
};

/** Takes secrets out of rows, and lets them refer to tasks by their new numbers. */
export function makePrepareRow(): LoadOptions["prepare"] {
  const redact = redactingRecords(new Map());
  return (table, row, renamed) => {
    const own = renamed.size === 0 ? row : withRenamed(table, row, renamed);
    const changes = redact(table, writtenColumns(table, own));
    if (changes.record === undefined) delete changes.checksum;
    return { ...own, ...changes };
  };
}

const mayHoldSecrets: readonly ColumnKind[] = ["text", "record", "records", "texts", "json", "packed"];
const written = new Map<CanonicalTable, readonly string[]>();

/** Those that may hold a secret. Of a learning also its checksum, which depends on the others. */
function writtenColumns(table: CanonicalTable, row: Row): Row {
  const names = written.get(table) ?? namesOfWritten(table);
  written.set(table, names);
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}

function namesOfWritten(table: CanonicalTable): string[] {
  return Object.entries(shapeOf(table).columns)
    .filter(([name, { kind }]) => mayHoldSecrets.includes(kind) || name === "checksum")
    .map(([name]) => name);
}

function withRenamed(table: CanonicalTable, row: Row, renamed: Renamed): Row {
  const own = { ...row };
  for (const column of idColumns[table] ?? []) {
    const id = own[column];
    if (typeof id === "string") own[column] = renamedId(id, renamed);
  }
  const column = recordColumns[table];
  const text = column === undefined ? undefined : row[column];
  if (column === undefined || typeof text !== "string" || !text.includes("task-")) return own;
  const record = renameDeep(JSON.parse(text), renamed);
  const renamedText = JSON.stringify(record);
  if (renamedText === text) return own;
  own[column] = renamedText;
  if (table === "learnings" && isIntact({ record: text, checksum: String(row.checksum) }))
    own.checksum = recordChecksum(record as Learning);
  return own;
}

/** Of a task, or of an attempt, such as `task-001/2`. */
function renamedId(id: string, renamed: Renamed): string {
  const [task = "", ...rest] = id.split("/");
  return [renamed.get(task) ?? task, ...rest].join("/");
}

function renameDeep(value: unknown, renamed: Renamed): unknown {
  if (typeof value === "string") return renamedId(value, renamed);
  if (Array.isArray(value)) return value.map((item) => renameDeep(item, renamed));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [renamedId(name, renamed), renameDeep(field, renamed)]),
  );
}
