import type { ForeignKind } from "./foreign-record.js";

/** The result for a record: each is counted once. */
export const importOutcomes = [
  ...(["added", "renumbered", "updated", "present", "waiting", "superseded", "skipped"] as const),
] as const;

/**
 * `renumbered`: added under another number; `present`: adds nothing new; `waiting`: staged for a review, since it reads like an
 * instruction; `superseded`: the later of two versions counts.
 */
export type ImportOutcome = (typeof importOutcomes)[number];

export type KindCounts = Partial<Record<ImportOutcome, number>>;

export interface SkippedRecord {
  file: string;
  line?: number;
  id: string;
  kind: ForeignKind;
  why: string;
}

export interface ImportReport {
  counts: Partial<Record<ForeignKind, KindCounts>>;
  renumbered: { from: string; to: string }[];
  /** The records that wait for a review, with reasons. */
  waiting: { id: string; staged: string; reason: string }[];
  superseded: { id: string; record: string; kept: "ours" | "theirs" }[];
  skipped: SkippedRecord[];
  /** Links to missing records, which an export writes back. */
  dangling: { from: string; to: string; relation: string }[];
}

export function emptyReport(): ImportReport {
  return { counts: {}, renumbered: [], waiting: [], superseded: [], skipped: [], dangling: [] };
}

export function count(report: ImportReport, kind: ForeignKind, outcome: ImportOutcome): void {
  const counts = report.counts[kind] ?? {};
  report.counts[kind] = { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 };
}
