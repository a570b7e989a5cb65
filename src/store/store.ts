import type { LexicalIndex } from "./lexical-index.js";
import type { Credits } from "./repositories/knowledge/credits.js";
import type { Impact } from "./repositories/knowledge/impact.js";
import type { Learnings } from "./repositories/knowledge/learnings.js";
import type { Links } from "./repositories/knowledge/links.js";
import type { SkillUses } from "./repositories/knowledge/skill-uses.js";
import type { StagedLearnings } from "./repositories/knowledge/staged-learnings.js";
import type { Vectors } from "./repositories/knowledge/vectors.js";
import type { AddedSections } from "./repositories/notes/added-sections.js";
import type { DeletedNotes } from "./repositories/notes/deleted-notes.js";
import type { NoteFiles } from "./repositories/notes/note-files.js";
import type { NoteRows } from "./repositories/notes/note-rows.js";
import type { SettingsCache } from "./repositories/settings/settings-cache.js";
import type { Actions } from "./repositories/tasks/actions.js";
import type { Attempts } from "./repositories/tasks/attempts.js";
import type { CapacityChanges } from "./repositories/tasks/capacity-changes.js";
import type { IterationResults } from "./repositories/tasks/iteration-results.js";
import type { Reflections } from "./repositories/tasks/reflections.js";
import type { Runs } from "./repositories/tasks/runs.js";
import type { Tasks } from "./repositories/tasks/tasks.js";
import type { Handoffs } from "./repositories/working/handoffs.js";
import type { Ledgers } from "./repositories/working/ledgers.js";

/** What can be read and written, alone or inside a transaction. */
export interface Repositories {
  notes: NoteRows;
  noteFiles: NoteFiles;
  addedSections: AddedSections;
  deletedNotes: DeletedNotes;
  settingsCache: SettingsCache;
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
  runs: Runs;
  vectors: Vectors;
  lexical: LexicalIndex;
  /** Empties everything that can be derived again. */
  resetDerived(): Promise<void>;
  /** False while what is derived has been emptied and not been filled again. */
  isDerivedFilled(): Promise<boolean>;
  markDerivedFilled(): Promise<void>;
}

/** The database behind a memory. Everything is asynchronous, because a team's store is remote. */
export interface Store extends Repositories {
  /**
   * Runs `work` with all its reads and writes in one transaction, which is undone when it throws. Only calls through
   * `tx` belong to it: calls on the store itself wait until it has ended, so `work` must not await them.
   */
  transaction<Result>(work: (tx: Repositories) => Promise<Result>): Promise<Result>;
  /** A copy of the database in the backup folder, at most one a day. */
  backUpIfDue(now: Date): Promise<void>;
  /** Puts its file back where somebody took it away meanwhile; false when nothing was missing. */
  putBackIfGone(): Promise<boolean>;
  /** What the database says about its own health; empty when all is well. */
  findDamage(): Promise<Damage[]>;
  describe(): Promise<StoreDescription>;
  close(): Promise<void>;
  /** For a process that ends right away: does only what the next one would otherwise pay for. */
  leave(): Promise<void>;
}

export interface Damage {
  message: string;
  /** Only what can be rebuilt from the files is concerned. */
  isDerived: boolean;
}

export interface StoreDescription {
  location: string;
  engine: string;
  schemaVersion: number;
  backups: string[];
}
