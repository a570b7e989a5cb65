import { RalphError } from "../../domain/ralph-error.js";
import type { CanonicalTable, TableRow } from "../../store/dump/table-shape.js";
import { RecordFields, unusable } from "../record-fields.js";
import { type DumpHeader, dumpFormat, dumpVersion, parseRow } from "./dump-format.js";
import { type Line, linesOf } from "./lines-of.js";

/** A file with a dump; it is read anew for each call of `rows`. */
export interface DumpFile {
  header: DumpHeader;
  /** Throws at the first line that is not one of a dump. */
  rows(): AsyncGenerator<TableRow>;
}

export function openDump(path: string): DumpFile {
  const lines = linesOf(path);
  try {
    const first = lines.next().value as Line | undefined;
    if (first === undefined) throw unusable(path, "is empty");
    return { header: readHeader(first, path), rows: () => rowsOf(path) };
  } finally {
    lines.return(undefined);
  }
}

function readHeader(line: Line, path: string): DumpHeader {
  const value = parse(line, path);
  if (!isObject(value) || value.format !== dumpFormat)
    throw unusable(path, 'is not a dump that "ralph export jsonl" wrote');
  const fields = new RecordFields(value, line.place);
  const version = fields.count("version");
  if (version > dumpVersion)
    throw new RalphError("store-too-new", `${path} was written by a newer Ralph (version ${version})`, {
      hint: 'update with "npm install -g ralph-memory"',
    });
  const highest = fields.findRecord("highest");
  return {
    format: dumpFormat,
    version,
    schema: fields.count("schema"),
    project: fields.text("project"),
    created: fields.text("created"),
    highest: { tasks: highest?.count("tasks") ?? 0, handoffs: highest?.count("handoffs") ?? 0 },
  };
}

async function* rowsOf(path: string): AsyncGenerator<TableRow> {
  const counts: Record<string, number> = {};
  let isHeader = true;
  let hasEnded = false;
  for (const line of linesOf(path)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    if (hasEnded) throw unusable(line.place, "stands behind the end of the dump");
    const value = parse(line, line.place);
    if (!isObject(value)) throw unusable(line.place, "is not a JSON object");
    if (value.end === true) {
      checkCounts(counts, value.counts, line.place);
      hasEnded = true;
      continue;
    }
    const { table, row } = value;
    if (typeof table !== "string" || !isObject(row)) throw unusable(line.place, "is not a row of a table");
    counts[table] = (counts[table] ?? 0) + 1;
    yield { table: table as CanonicalTable, row: parseRow(row), place: line.place };
  }
  if (!hasEnded) throw unusable(path, "was cut: its last line is missing");
}

function checkCounts(counts: Record<string, number>, told: unknown, place: string): void {
  const given = isObject(told) ? told : {};
  for (const table of new Set([...Object.keys(counts), ...Object.keys(given)])) {
    const [found, expected] = [counts[table] ?? 0, given[table] ?? 0];
    if (found !== expected)
      throw unusable(place, `says that there are ${expected} rows of ${table}, but there are ${found}`);
  }
}

function parse({ text }: Line, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw Object.assign(unusable(place, "is not valid JSON"), { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
