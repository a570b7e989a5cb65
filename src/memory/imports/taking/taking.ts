import type { ForeignRow } from "../../../store/repositories/knowledge/foreign-records.js";
import type { OpenProject } from "../../project/open-project.js";
import type { ForeignKind, ForeignRecord } from "../foreign-record.js";
import type { ImportOutcome, ImportReport } from "../import-report.js";

/** What an import knows while it goes on. */
export interface Taking {
  session: OpenProject;
  layout: string;
  now: Date;
  dryRun: boolean;
  /** Whether a person reviews all learnings. */
  isReviewed: boolean;
  report: ImportReport;
  /** The name of the file with the project's notes. */
  notesFile: string;
  /** Of records that an export wrote from here: the ids that they have here, by those that they have there. */
  exported: Map<string, string>;
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

export interface Taken {
  outcome: ImportOutcome;
  recordId?: string | undefined;
  digest?: string | undefined;
  /** Why it was skipped. */
  why?: string;
  /** An export wrote it from here, so how it is written there need not be kept. */
  isOurs?: boolean;
  /** The version that does not count, of two; its original is kept too. */
  lost?: unknown;
}

export const deletedHere: Taken = { outcome: "skipped", why: "it was deleted here" };
