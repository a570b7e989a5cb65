import { RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import type { DumpOrigin, RecordDump } from "../memory/records/record-verbs.js";
import type { TableCounts } from "../store/dump/read-rows.js";
import type { CanonicalTable, Row, TableRow } from "../store/dump/table-shapes.js";
import { RecordFields, unusable } from "./fields.js";
import { type Line, linesOf } from "./read-file.js";

const dumpFormat = "ralph-dump";
const dumpVersion = 1;

/** The first line. */
interface DumpHeader extends DumpOrigin {
  format: typeof dumpFormat;
  version: number;
  created: string;
}

/** The last line, which shows that the file is complete. */
interface DumpEnd {
  end: true;
  counts: TableCounts;
}

/** Leaves out columns without a value; bytes are written as base64. */
function renderRow({ table, row }: TableRow): string {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    given[name] = value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
  }
  return `${JSON.stringify({ table, row: given })}\n`;
}

/** Values of other types are rejected when the rows are stored. */
function parseRow(given: Record<string, unknown>): Row {
  const values = Object.entries(given).map(([name, value]) => [
    name,
    isObject(value) && typeof value.base64 === "string" ? Buffer.from(value.base64, "base64") : value,
  ]);
  return Object.fromEntries(values) as Row;
}

export interface WriteDumpOptions {
  created: string;
  /** Writes some lines; awaited before the next ones. */
  write(lines: string): Promise<void> | void;
  onProgress?: (done: number, total: number) => void;
}

const charactersAtOnce = 256 * 1024;

/** Writes a dump as JSON Lines: a header, one line per row, and the number of rows. */
export async function writeDump(
  dump: RecordDump,
  { created, write, onProgress = () => undefined }: WriteDumpOptions,
): Promise<TableCounts> {
  const { schema, project, highest } = dump;
  const total = Object.values(dump.counts).reduce((sum, count) => sum + count, 0);
  const about = { schema, project, created, highest };
  const header: DumpHeader = { format: dumpFormat, version: dumpVersion, ...about };
  const counts: TableCounts = {};
  let lines = `${JSON.stringify(header)}\n`;
  let done = 0;
  for await (const row of dump.rows()) {
    lines += renderRow(row);
    counts[row.table] = (counts[row.table] ?? 0) + 1;
    done += 1;
    if (lines.length < charactersAtOnce) continue;
    await write(lines);
    lines = "";
    onProgress(done, total);
  }
  const end: DumpEnd = { end: true, counts };
  await write(`${lines}${JSON.stringify(end)}\n`);
  onProgress(done, done);
  return counts;
}

/** A dump file, read anew for each call of `rows`. */
export interface DumpFile {
  header: DumpHeader;
  /** Throws at the first line that is not part of a dump. */
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
    if (hasEnded) throw unusable(line.place, "follows the end of the dump");
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

function checkCounts(counts: Record<string, number>, end: unknown, place: string): void {
  const given = isObject(end) ? end : {};
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
