import { closeSync, fstatSync, readSync } from "node:fs";
import { splitJsonLines } from "../agents/streams/json-lines.js";
import { isObject } from "../domain/shape.js";
import { withFileErrors } from "../files/file-problem.js";
import { openRegularFile } from "../files/read-regular-file.js";

export type Row = Record<string, unknown>;

export interface ReadRows {
  unreadable: number;
  isCutShort: boolean;
}

const defaultChunkBytes = 1024 * 1024;
/** Rows with pictures are large. */
const maxRowBytes = 64 * 1024 * 1024;

/** Reads a file of JSON lines piece by piece; `onRow` ends it by returning false. */
export function readRows(
  path: string,
  onRow: (row: Row) => unknown,
  chunkBytes = defaultChunkBytes,
): ReadRows {
  let unreadable = 0;
  let isCutShort = false;
  let isLast = false;
  let isStopped = false;
  const lines = splitJsonLines(maxRowBytes, {
    onLine(line) {
      if (isStopped) return;
      const row = parseRow(line);
      if (row === undefined) {
        unreadable += 1;
        isCutShort = isLast;
      } else if (!isTaken(row)) unreadable += 1;
    },
    onOther: () => {
      unreadable += 1;
    },
    onLongLine: () => {
      unreadable += 1;
    },
  });
  const isTaken = (row: Row): boolean => {
    try {
      isStopped = onRow(row) === false;
      return true;
    } catch (error) {
      // Nested deeper than the stack.
      if (error instanceof RangeError) return false;
      throw error;
    }
  };
  withFileErrors(path, () => {
    const file = openRegularFile(path);
    try {
      // No more than the file needs: most are small. What was read stays as it is, because lines keep parts of it.
      const bytes = Math.min(chunkBytes, fstatSync(file).size + 1);
      let free = Buffer.alloc(0);
      while (!isStopped) {
        if (free.length === 0) free = Buffer.allocUnsafe(bytes);
        const length = readSync(file, free);
        if (length === 0) break;
        lines.push(free.subarray(0, length));
        free = free.subarray(length);
      }
    } finally {
      closeSync(file);
    }
  });
  isLast = true;
  lines.end();
  return { unreadable, isCutShort };
}

function parseRow(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
