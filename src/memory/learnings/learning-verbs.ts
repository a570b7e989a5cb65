import type { ExtractedLearning, Learning, StagedLearning } from "../../domain/knowledge/learning.js";
import type { Imported, Verification } from "../../semantic/exchange/exchange-learnings.js";
import type { MergedDuplicates } from "../../semantic/merge/merge-duplicates.js";
import type { KnowledgeStats, LearningQuery } from "../../semantic/records/learning-records.js";
import type { PrunedLearning, PruneOptions } from "../../semantic/records/prune-learnings.js";
import type { NewLearning } from "../../semantic/records/store-learning.js";
import type { Consolidated } from "../../semantic/staging/consolidate.js";
import type { Promoted, PromotionOptions } from "../../semantic/staging/promote-learnings.js";
import type { PipelineResult } from "../../semantic/staging/run-pipeline.js";
import type { StagingStats } from "../../semantic/staging/stage-learnings.js";
import type { ExportedLearnings, ExportFormat } from "./exchange/export-learnings.js";
import type { Staleness } from "./learning-staleness.js";
import type { TaskLessons } from "./lessons/learn-from-tasks.js";
import type { LearningEvidence } from "./lessons/why-learning.js";
import type { PublishedLearning } from "./publish-learning.js";

export interface MergedStore extends Imported {
  duplicates: MergedDuplicates[];
}

/** `memory.learnings`: what held true in tasks, with its evidence. Ids may be shortened while they are unique. */
export interface LearningVerbs {
  /** Adds a learning as given. */
  add(learning: NewLearning): Promise<Learning>;
  get(id: string): Promise<Learning>;
  /** Best score first. */
  list(query?: LearningQuery): Promise<Learning[]>;
  update(id: string, updates: Partial<Learning>): Promise<Learning>;
  /** Deletes a learning and returns it; an import or the same finding does not bring it back. */
  delete(id: string): Promise<Learning>;
  /** Deletes all and returns how many there were; a backup of them stays. */
  clear(): Promise<number>;
  /** Deletes what meets one of the criteria. */
  prune(options: PruneOptions): Promise<PrunedLearning[]>;
  stats(): Promise<KnowledgeStats>;
  /** Where a learning comes from, and what became of it. */
  why(id: string): Promise<LearningEvidence>;
  /** Learnings whose files changed a lot since. */
  findStale(learnings: readonly Learning[]): Promise<Staleness[]>;

  /** Extracts from a finished task of this memory and promotes, or only stages for review. */
  learnFromTask(taskId: string, options?: { isReviewed?: boolean | undefined }): Promise<TaskLessons>;
  /** The same for the history of another tool's loop. */
  learnFromLoop(loop: unknown, options?: { isReviewed?: boolean | undefined }): Promise<PipelineResult>;
  /** Draws general knowledge from tasks that changed since a time. */
  consolidate(options: { since: string; dryRun?: boolean | undefined }): Promise<Consolidated>;

  /** Puts findings into the staging area. */
  stage(found: readonly ExtractedLearning[]): Promise<StagedLearning[]>;
  listStaged(): Promise<StagedLearning[]>;
  stagingStats(): Promise<StagingStats>;
  validateStaged(): Promise<{ validated: number; rejected: number }>;
  acceptStaged(id: string, statement?: string): Promise<StagedLearning>;
  rejectStaged(id: string, reason: string): Promise<StagedLearning>;
  promoteStaged(options?: PromotionOptions): Promise<Promoted>;
  clearStaged(): Promise<void>;

  /** All learnings as text: JSON for other tools, Markdown for people, or CSV. */
  export(format?: ExportFormat): Promise<ExportedLearnings>;
  /** Adds or merges the learnings of an exported document, whose checksum must match; all or none. */
  import(text: string): Promise<Imported>;
  /** Imports, then merges duplicates; all or nothing. */
  merge(text: string, options?: { dryRun?: boolean | undefined }): Promise<MergedStore>;
  mergeDuplicates(options?: { dryRun?: boolean | undefined }): Promise<MergedDuplicates[]>;
  /** Writes a learning as a note, for review in git, and links the two. */
  publish(id: string): Promise<PublishedLearning>;
  /** Checks the store against its own rules. */
  verify(): Promise<Verification>;
  /** Writes a backup and returns its path. */
  backUp(): Promise<string>;
  /** Restores a backup, the newest good one by default. */
  restore(path?: string): Promise<{ path: string; learnings: number }>;
}
