import type { RowSide } from "./dump/row-side.js";
import type { LexicalIndex } from "./lexical-index.js";
import type { Credits } from "./repositories/knowledge/credits.js";
import type { ForeignRecords } from "./repositories/knowledge/foreign-records.js";
import type { Impact } from "./repositories/knowledge/impact.js";
import type { Learnings } from "./repositories/knowledge/learnings.js";
import type { Links } from "./repositories/knowledge/links.js";
import type { SkillUses } from "./repositories/knowledge/skill-uses.js";
import type { StagedLearnings } from "./repositories/knowledge/staged-learnings.js";
import type { Vectors } from "./repositories/knowledge/vectors.js";
import type { Outbox, SettingsCache } from "./repositories/notes/local-state.js";
import type { AddedSections, DeletedNotes, NoteFiles } from "./repositories/notes/note-files.js";
import type { NoteRows } from "./repositories/notes/note-rows.js";
import type { Actions } from "./repositories/tasks/actions.js";
import type { Attempts } from "./repositories/tasks/attempts.js";
import type { IterationResults } from "./repositories/tasks/iteration-results.js";
import type { CapacityChanges, Reflections } from "./repositories/tasks/reflections.js";
import type { Runs } from "./repositories/tasks/runs.js";
import type { Tasks } from "./repositories/tasks/tasks.js";
import type { Handoffs, Ledgers } from "./repositories/working.js";
import type { SqlValue } from "./sql.js";

/** What was tried and learned, and who works on what: a team shares it. */
export interface RecordRepositories {
  tasks: Tasks;
  attempts: Attempts;
  actions: Actions;
  iterationResults: IterationResults;
  reflections: Reflections;
  capacityChanges: CapacityChanges;
  learnings: Learnings;
  stagedLearnings: StagedLearnings;
  links: Links;
  credits: Credits;
  impact: Impact;
  ledgers: Ledgers;
  handoffs: Handoffs;
  skillUses: SkillUses;
  foreignRecords: ForeignRecords;
  runs: Runs;
}

/** The search index, and whether it is filled. */
export interface DerivedRepositories {
  lexical: LexicalIndex;
  /** Empties all derived tables. */
  resetDerived(): Promise<void>;
  /** False if the derived tables were emptied and not rebuilt yet. */
  isDerivedFilled(): Promise<boolean>;
  markDerivedFilled(): Promise<void>;
}

/** All repositories, usable directly or inside a transaction. */
export interface Repositories extends RecordRepositories, DerivedRepositories {
  notes: NoteRows;
  noteFiles: NoteFiles;
  addedSections: AddedSections;
  deletedNotes: DeletedNotes;
  settingsCache: SettingsCache;
  vectors: Vectors;
  /** What waits for a team's server. */
  outbox: Outbox;
}

/** What a transaction is about: the notes and vectors of this machine, or the records that a team may share. */
export type StoreSide = "local" | "shared";

export interface TransactionOptions {
  /** The shared one unless something else is said; it matters only in a team's store. */
  side?: StoreSide;
  /** What other writers wait for: the whole project, or only the attempt that it records something in. */
  holds?: "project" | "attempt";
  /** Of what is delivered late: a team's server takes it once, and refuses it with `already-exists` after that. */
  token?: string;
  /** All that it changes follows from files, which are synced: it may be lost with the power, and is then made again. */
  isRebuildable?: boolean;
}

/** The database behind a memory. Everything is asynchronous, because a team's store is remote. */
export interface Store extends Repositories {
  /**
   * Runs `work` in one transaction and rolls back if it throws. Only calls through `tx` belong to it: calls on the store
   * itself wait until it has ended, so `work` must not await them. In a team's store only one side is in the transaction, and
   * `work` is repeated when the connection is lost: it may change nothing else.
   */
  transaction<Result>(
    work: (tx: Repositories) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Single statements that fail with `store-busy` instead of waiting while another process writes. */
  withoutWaiting(): Repositories;
  /**
   * Copies the database to the backup folder on another day, or when much was recorded since the last backup. A large one takes seconds:
   * where somebody waits for this process, another one does it.
   */
  backUpIfDue(now: Date, options?: { isAwaited?: boolean }): Promise<void>;
  /** False if the database was removed, replaced or cut by another program. */
  isInPlace(): boolean;
  /**
   * Called when the database is not in place, after which the store must be opened again. One that was removed is written again
   * ("restored"). If another file took its place, what was recorded through this store is "lost"; it is only "replaced" if that
   * was nothing.
   */
  reclaim(): Promise<"restored" | "lost" | "replaced">;
  /** Problems that the database finds in itself; empty if there are none. */
  findDamage(): Promise<Damage[]>;
  /** Gives every record to `change`; with `isWritten`, stores what it returns, all of it or nothing. */
  scrubRecords(change: ChangeRecord, options: { isWritten: boolean }): Promise<ChangedColumn[]>;
  /** Rewrites the database, so that it keeps nothing of what was deleted. */
  compact(): Promise<void>;
  /** The part that needs no server: the store itself, unless a team shares the rest. */
  onThisMachine(): Store;
  describe(): Promise<StoreDescription>;
  /** The databases behind it, for reading and adding records as rows. */
  rowSides(): Promise<RowSide[]>;
  close(): Promise<void>;
  /** For a process about to exit: does only the clean-up that would slow down the next one. */
  leave(): Promise<void>;
}

/** The columns of a record that have to change, with their new values. */
export type ChangeRecord = (
  table: string,
  row: Readonly<Record<string, SqlValue>>,
) => Record<string, SqlValue>;

export interface ChangedColumn {
  table: string;
  column: string;
  rows: number;
}

export interface Damage {
  message: string;
  /** Affects only data that can be rebuilt from the files. */
  isDerived: boolean;
}

export interface StoreDescription {
  location: string;
  engine: string;
  schemaVersion: number;
  backups: string[];
  /** Of a team's server: how long it takes to answer, how far its clock is ahead, and what this user may do. */
  server?: { answerMs: number; aheadMs: number; mayWrite: boolean; hasRowSecurity: boolean };
}
