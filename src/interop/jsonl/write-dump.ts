import type { RecordDump } from "../../memory/records/record-verbs.js";
import type { TableCounts } from "../../store/dump/read-rows.js";
import { type DumpEnd, type DumpHeader, dumpFormat, dumpVersion, renderRow } from "./dump-format.js";

export interface WriteDumpOptions {
  created: string;
  /** Takes some lines at a time; the next ones come when it is done. */
  write(lines: string): Promise<void> | void;
  onProgress?: (done: number, total: number) => void;
}

const charactersAtOnce = 256 * 1024;

/** Writes a dump as JSON Lines: what it is, one line for each row, and how many of them there were. */
export async function writeDump(
  dump: RecordDump,
  { created, write, onProgress = () => undefined }: WriteDumpOptions,
): Promise<TableCounts> {
  const { schema, project, highest } = dump;
  const total = Object.values(dump.counts).reduce((sum, count) => sum + count, 0);
  const header: DumpHeader = {
    ...{ format: dumpFormat, version: dumpVersion, schema, project, created, highest },
  };
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
