import type { CanonicalTable, Row, TableRow } from "../table-shape.js";

const mostRows = 1_000;
const mostCharacters = 2 * 1024 * 1024;

/** Some rows of one table. */
export interface Part {
  table: CanonicalTable;
  rows: Row[];
}

export async function* inParts(rows: AsyncIterable<TableRow>): AsyncGenerator<Part> {
  let part: Part | undefined;
  let size = 0;
  for await (const { table, row } of rows) {
    const isFull = part !== undefined && (part.rows.length >= mostRows || size >= mostCharacters);
    if (part !== undefined && (isFull || part.table !== table)) {
      yield part;
      part = undefined;
    }
    if (part === undefined) {
      part = { table, rows: [] };
      size = 0;
    }
    part.rows.push(row);
    size += sizeOf(row);
  }
  if (part !== undefined) yield part;
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row)) {
    if (typeof value === "string") size += value.length;
    else if (value instanceof Uint8Array) size += value.byteLength;
  }
  return size;
}
