import { recordDigest } from "../domain/record-digest.js";
import type { ForeignKind } from "../memory/imports/foreign-record.js";
import type { Memory } from "../memory/memory.js";
import type { ForeignRow } from "../store/repositories/knowledge/foreign-records.js";
import { patchOriginal } from "./building/patch-original.js";
import type { LayoutName } from "./layout-names.js";

/** The records of a memory, and how those that came from a layout were written there. */
export interface ExportSource {
  memory: Memory;
  now: Date;
  /** What came from the layout, in the order of its files. */
  rows: readonly ForeignRow[];
  /** How a record was written there; undefined if it did not come from there. */
  originalOf(kind: ForeignKind, recordId: string): ForeignRow | undefined;
  /** All of them, if it is told about at several places there. */
  originalsOf(kind: ForeignKind, recordId: string): readonly ForeignRow[];
  /** The id that a record has there, or its own. */
  foreignId(recordId: string, kind?: ForeignKind): string;
  /** The record that something there became here. */
  recordId(kind: ForeignKind, foreignId: string): string | undefined;
  /** What waits for a review here, or was turned down: it is still theirs, and written back as it was. */
  heldBack(kind: ForeignKind): ForeignRow[];
  onProgress(done: number, total: number): void;
}

export async function openExportSource(
  memory: Memory,
  layout: LayoutName,
  { now, onProgress = () => undefined }: { now: Date; onProgress?: ExportSource["onProgress"] },
): Promise<ExportSource> {
  const rows = await memory.imports.originals(layout);
  const byRecord = new Map<string, ForeignRow[]>();
  const byForeignId = new Map<string, string>();
  for (const row of rows) {
    const { kind, foreignId, recordId } = row;
    if (recordId === undefined || kind === "superseded") continue;
    for (const key of [recordId, `${kind} ${recordId}`])
      byRecord.set(key, [...(byRecord.get(key) ?? []), row]);
    byForeignId.set(`${kind} ${foreignId}`, recordId);
  }
  return {
    memory,
    now,
    rows,
    originalOf: (kind, recordId) => byRecord.get(`${kind} ${recordId}`)?.[0],
    originalsOf: (kind, recordId) => byRecord.get(`${kind} ${recordId}`) ?? [],
    foreignId: (recordId, kind) =>
      byRecord.get(kind === undefined ? recordId : `${kind} ${recordId}`)?.[0]?.foreignId ?? recordId,
    recordId: (kind, foreignId) => byForeignId.get(`${kind} ${foreignId}`),
    heldBack: (kind) =>
      kind === "staged" ? [] : rows.filter((row) => row.kind === kind && isStageId(row.recordId)),
    onProgress,
  };
}

function isStageId(id: string | undefined): boolean {
  return id?.startsWith("stage-") ?? false;
}

/**
 * A record as its layout writes it: the original with what has changed here, or a new rendering. `read` makes of an original
 * the record that it was when it came in.
 */
export function renderBack<Record>(
  row: ForeignRow | undefined,
  record: Record,
  { read, render }: { read(original: unknown): Record; render(record: Record): unknown },
): unknown {
  if (row?.original === undefined) return render(record);
  if (row.digest === recordDigest(row.kind, record)) return row.original;
  return patchOriginal(row.original, jsonOf(render(read(row.original))), jsonOf(render(record)));
}

/** Without fields that JSON does not have. */
function jsonOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
