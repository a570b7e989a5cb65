import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import type { OpenProject } from "../project/open-project.js";
import type { ForeignKind, ForeignRecord } from "./foreign-record.js";
import type { ImportOutcome, ImportReport } from "./import-report.js";

/** What all steps of an import share. */
export interface ImportRun {
  project: OpenProject;
  layout: string;
  now: Date;
  dryRun: boolean;
  /** Whether a person reviews all learnings. */
  isReviewed: boolean;
  report: ImportReport;
}

/** A record with secrets taken out, its place, and what an earlier import made of it. */
export interface Entry<Content extends ForeignRecord = ForeignRecord> {
  record: Content;
  file: string;
  /** Among the records of its file. */
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
  /** The version that does not count, of two; its original is kept too. */
  lost?: unknown;
}

export const deletedHere: ImportResult = { outcome: "skipped", why: "it was deleted here" };
