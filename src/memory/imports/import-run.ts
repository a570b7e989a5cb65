import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import type { OpenProject } from "../project/open-project.js";
import type { ForeignKind, ForeignRecord } from "./foreign-record.js";
import type { ImportOutcome, ImportReport } from "./import-report.js";

/** The shared state of an import. */
export interface ImportRun {
  project: OpenProject;
  layout: string;
  now: Date;
  dryRun: boolean;
  /** Whether a person reviews all learnings. */
  isReviewed: boolean;
  report: ImportReport;
}

/** A redacted record, its place, and the result of an earlier import. */
export interface Entry<Content extends ForeignRecord = ForeignRecord> {
  record: Content;
  file: string;
  /** Its position in the file. */
  place: number;
  known: ForeignRow | undefined;
}

export type EntryOf<Kind extends ForeignKind> = Entry<Extract<ForeignRecord, { kind: Kind }>>;

export interface ImportResult {
  outcome: ImportOutcome;
  recordId?: string | undefined;
  digest?: string | undefined;
  /** Why it was skipped. */
  why?: string;
  /** The superseded version of two, whose original is stored, too. */
  lost?: unknown;
}

export const deletedHere: ImportResult = { outcome: "skipped", why: "it was deleted here" };
