import { isDeepStrictEqual } from "node:util";
import { recordDigest } from "../domain/record-digest.js";
import { isObject } from "../domain/shape.js";
import type { ForeignKind } from "../memory/imports/foreign-record.js";
import type { Memory } from "../memory/memory.js";
import type { ForeignRow } from "../store/repositories/knowledge/foreign-records.js";
import type { LayoutName } from "./layout.js";

/** The records of a memory, and the originals of those imported from a layout. */
export interface ExportSource {
  memory: Memory;
  now: Date;
  /** What was imported from the layout, in the order of its files. */
  rows: readonly ForeignRow[];
  /** The original of a record; undefined if it was not imported from the layout. */
  originalOf(kind: ForeignKind, recordId: string): ForeignRow | undefined;
  /** All originals, if the layout stores it in several places. */
  originalsOf(kind: ForeignKind, recordId: string): readonly ForeignRow[];
  /** The id of a record in the layout, or else its own. */
  foreignId(recordId: string, kind?: ForeignKind): string;
  /** The record created from an entry of the layout. */
  recordId(kind: ForeignKind, foreignId: string): string | undefined;
  /** Records that wait for a review here, or were rejected: they are written back unchanged. */
  heldBack(kind: ForeignKind): ForeignRow[];
  /** The original that was stored without a record of its own, by its id. */
  kept(foreignId: string): unknown;
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
    kept: (foreignId) => rows.find((row) => row.kind === "kept" && row.foreignId === foreignId)?.original,
    onProgress,
  };
}

function isStageId(id: string | undefined): boolean {
  return id?.startsWith("stage-") ?? false;
}

/**
 * A record in its layout: the original with later changes applied, or a new rendering. `read` turns an original into the record that was
 * imported.
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

/** Drops fields that JSON cannot hold. */
function jsonOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/**
 * Applies the changes between two renderings of a record to the original. Fields that the renderings lack, the order of keys and the
 * spelling of unchanged values are kept.
 */
export function patchOriginal(original: unknown, before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return original;
  if (isObject(original) && isObject(before) && isObject(after)) return patchObject(original, before, after);
  if (Array.isArray(original) && Array.isArray(before) && Array.isArray(after))
    return patchList(original, before, after);
  return after;
}

type Fields = Record<string, unknown>;

function patchObject(original: Fields, before: Fields, after: Fields): Fields {
  const patched: Fields = {};
  for (const [name, value] of Object.entries(original)) {
    const isRemoved = after[name] === undefined && before[name] !== undefined;
    if (!isRemoved) patched[name] = patchOriginal(value, before[name], after[name]);
  }
  for (const [name, value] of Object.entries(after))
    if (!Object.hasOwn(patched, name) && value !== undefined && !isDeepStrictEqual(value, before[name]))
      patched[name] = value;
  return patched;
}

/** Items are matched by their ids, or else by position. */
function patchList(original: unknown[], before: unknown[], after: unknown[]): unknown[] {
  // The rendering left items out, so positions do not match.
  if (original.length !== before.length && !before.every(hasId)) return after;
  return after.map((item, index) => {
    const at = hasId(item) ? before.findIndex((each) => hasId(each) && each.id === item.id) : index;
    const own = hasId(item) ? original.findIndex((each) => hasId(each) && each.id === item.id) : index;
    return at >= 0 && own >= 0 && at < before.length && own < original.length
      ? patchOriginal(original[own], before[at], item)
      : item;
  });
}

function hasId(value: unknown): value is { id: unknown } {
  return isObject(value) && value.id !== undefined;
}
