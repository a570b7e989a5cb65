import { isDeepStrictEqual } from "node:util";
import type { Learning, LearningsDocument, StagedLearning } from "../../domain/knowledge/learning.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignKind } from "../../memory/imports/foreign-record.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import { type ExportSource, patchOriginal, renderBack } from "../export-source.js";
import type { WrittenCounts } from "../layout.js";
import type { TargetFolder } from "../target-folder.js";
import { backupFile, checksumOf, knowledgeFiles, stagedFrom } from "./read-knowledge.js";

type Fields = Record<string, unknown>;
type Stats = LearningsDocument["stats"];

const version = "1.0.0";
/** The style that aiwg writes. */
const style = { endsLine: false };

export async function writeKnowledge(source: ExportSource, target: TargetFolder): Promise<WrittenCounts> {
  const { memory } = source;
  const { learnings } = JSON.parse((await memory.learnings.export("json")).text) as LearningsDocument;
  const foreignId = (id: string) => source.foreignId(id, "learning");
  const list = inFileOrder(source, "learning", learnings).map(({ row, record }) =>
    renderBack(row, record, {
      read: (original) => original as Learning,
      render: (learning) => renderLearning(learning, foreignId),
    }),
  );
  list.push(...source.heldBack("learning").map(({ original }) => original));
  const before = originals(source, "learning");
  const backup = source.kept(backupFile);
  if (typeof backup === "string") target.text(backupFile, backup);
  target.json(knowledgeFiles.learnings, documentOf(source, "learnings", before, list), style);
  const staged = await writeStaged(source, target);
  return { learning: list.length, ...(staged > 0 && { staged }) };
}

async function writeStaged(source: ExportSource, target: TargetFolder): Promise<number> {
  const heldBack = new Set(
    source.rows.flatMap(({ kind, recordId = "" }) => (kind === "staged" ? [] : recordId)),
  );
  const all = await source.memory.learnings.listStaged();
  const waiting = all.filter(({ id }) => !heldBack.has(id));
  const list = inFileOrder(source, "staged", waiting).map(({ row, record }) =>
    renderBack(row, record, {
      read: (original) => withoutReview(stagedFrom(original as Fields, "the original")),
      render: renderStaged,
    }),
  );
  if (list.length === 0 && source.kept(knowledgeFiles.staged) === undefined) return 0;
  const before = originals(source, "staged");
  target.json(knowledgeFiles.staged, documentOf(source, "staged", before, list), style);
  return list.length;
}

/** Published fields first, in their published order; the origin stays private. */
function renderLearning(
  { origin: _origin, ...learning }: Learning,
  foreignId: (id: string) => string,
): Fields {
  const { superseded_by: newer } = learning;
  return {
    ...learning,
    id: foreignId(learning.id),
    ...(newer !== undefined && { superseded_by: foreignId(newer) }),
  };
}

function renderStaged({ reason: _reason, awaitsEvidence: _awaits, ...entry }: StagedLearning): Fields {
  const { origin: _origin, ...learning } = entry.learning;
  return { ...entry, learning };
}

/** What was validated elsewhere still waits for a review here. */
function withoutReview({ validatedAt: _at, ...entry }: StagedLearning): StagedLearning {
  return { ...entry, status: entry.status === "validated" ? "pending" : entry.status };
}

/** Imported records in the order of their file, then the others. */
function inFileOrder<Record extends { id: string }>(
  source: ExportSource,
  kind: ForeignKind,
  records: readonly Record[],
): { row: ForeignRow | undefined; record: Record }[] {
  const rows = records.map((record) => ({ row: source.originalOf(kind, record.id), record }));
  const placeOf = ({ row }: { row: ForeignRow | undefined }) => row?.place ?? Number.MAX_SAFE_INTEGER;
  return rows.sort((one, other) => placeOf(one) - placeOf(other));
}

function originals(source: ExportSource, kind: ForeignKind): unknown[] {
  return source.rows.flatMap((row) => (row.kind === kind ? [row.original] : []));
}

/** The document around a list: the original if the list is unchanged; otherwise with a new checksum. */
function documentOf(
  source: ExportSource,
  name: "learnings" | "staged",
  before: unknown[],
  list: unknown[],
): Fields {
  const stats = (records: unknown[]) =>
    name === "learnings" ? { stats: statsOf(records as Learning[]) } : {};
  const lastUpdated = source.now.toISOString();
  const kept = source.kept(knowledgeFiles[name]);
  const changed = isDeepStrictEqual(before, list) ? {} : { lastUpdated };
  const document = isObject(kept)
    ? (patchOriginal(kept, stats(before), { ...stats(list), ...changed }) as Fields)
    : { lastUpdated, ...stats(list) };
  const { version: written = version, checksum: _checksum, lastUpdated: time, ...rest } = document;
  return { version: written, checksum: checksumOf(list), lastUpdated: time, [name]: list, ...rest };
}

function statsOf(learnings: readonly Learning[]): Stats {
  const count = (keyOf: (learning: Learning) => string) => {
    const counts = new Map<string, number>();
    for (const learning of learnings) counts.set(keyOf(learning), (counts.get(keyOf(learning)) ?? 0) + 1);
    return Object.fromEntries(counts);
  };
  return {
    totalLearnings: learnings.length,
    byType: count(({ type }) => type),
    byTaskType: count(({ taskType }) => taskType),
  };
}
