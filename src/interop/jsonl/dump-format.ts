import type { DumpOrigin } from "../../memory/records/record-verbs.js";
import type { TableCounts } from "../../store/dump/read-rows.js";
import type { Row, TableRow } from "../../store/dump/table-shape.js";

export const dumpFormat = "ralph-dump";
export const dumpVersion = 1;

/** The first line. */
export interface DumpHeader extends DumpOrigin {
  format: typeof dumpFormat;
  version: number;
  created: string;
}

/** The last line, by which a file that was cut is known. */
export interface DumpEnd {
  end: true;
  counts: TableCounts;
}

/** Columns without a value are left out; bytes are written as base64. */
export function renderRow({ table, row }: TableRow): string {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    given[name] = value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
  }
  return `${JSON.stringify({ table, row: given })}\n`;
}

/** Values of any other kind are left to be refused by whoever knows the tables. */
export function parseRow(given: Record<string, unknown>): Row {
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) row[name] = isBytes(value) ? bytesOf(value) : value;
  return row as Row;
}

function isBytes(value: unknown): value is { base64: string } {
  return typeof value === "object" && value !== null && "base64" in value && typeof value.base64 === "string";
}

function bytesOf({ base64 }: { base64: string }): Uint8Array {
  return Buffer.from(base64, "base64");
}
