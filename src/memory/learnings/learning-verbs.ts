import type { ExtractedLearning, Learning, StagedLearning } from "../../domain/knowledge/learning.js";
import type { WeighedLearning } from "../../semantic/evidence.js";
import type { Verification } from "../../semantic/exchange/exchange-learnings.js";
import type { ImportedDocument } from "../../semantic/exchange/import-learnings.js";
import type { MergedDuplicates } from "../../semantic/merge/merge-duplicates.js";
import type {
  KnowledgeStats,
  LearningQuery,
  PrunedLearning,
  PruneOptions,
} from "../../semantic/records/learning-records.js";
import type { Lineage } from "../../semantic/records/link-records.js";
import type { NewLearning } from "../../semantic/records/store-learning.js";
import type { LearningSearch } from "../../semantic/retrieve/search-learnings.js";
import type { Promoted, PromotionOptions } from "../../semantic/staging/promote-learnings.js";
import type { Consolidated, PipelineResult } from "../../semantic/staging/settle-findings.js";
import type { StagingStats } from "../../semantic/staging/stage-learnings.js";
import type { ExportedLearnings, ExportFormat } from "./exchange/export-learnings.js";
import type { Staleness } from "./learning-staleness.js";
import type { PublishedLearning } from "./learnings.js";
import type { TaskLessons } from "./lessons/learn-from-tasks.js";
import type { LearningEvidence } from "./lessons/why-learning.js";

export interface MergedStore extends ImportedDocument {
  duplicates: MergedDuplicates[];
}

/** `memory.learnings`: general knowledge drawn from tasks, with its evidence. Ids may be shortened if unique. */
export interface LearningVerbs {
  /** Adds a learning as given. */
  add(learning: NewLearning): Promise<Learning>;
  get(id: string): Promise<Learning>;
  /** Best score first. */
  list(query?: LearningQuery): Promise<Learning[]>;
  /** How many learnings match. */
  count(query?: LearningQuery): Promise<number>;
  /** Best match first; not those that are superseded. */
  search(search: LearningSearch): Promise<Learning[]>;
  update(id: string, updates: Partial<Learning>): Promise<Learning>;
  /** Deletes a learning and returns it; neither an import nor a later extraction brings it back. */
  delete(id: string): Promise<Learning>;
  /** Deletes all learnings, after a backup, and returns their number. */
  clear(): Promise<number>;
  /** Deletes learnings that match any of the criteria. */
  prune(options: PruneOptions): Promise<PrunedLearning[]>;
  stats(): Promise<KnowledgeStats>;
  /** The attempts behind a learning, and the outcomes of tasks that were shown it. */
  why(id: string): Promise<LearningEvidence>;
  /** How tasks went that were shown these learnings, or any that has evidence; the one that helped most comes first. */
  weigh(ids?: readonly string[]): Promise<WeighedLearning[]>;
  /** What a learning replaced, and what replaced it. */
  lineage(id: string): Promise<Lineage>;
  /** Learnings whose files have changed a lot since. */
  findStale(learnings: readonly Learning[]): Promise<Staleness[]>;

  /** Extracts learnings from a finished task and promotes them, or stages them for a review; by default as the settings say. */
  learnFromTask(taskId: string, options?: { isReviewed?: boolean | undefined }): Promise<TaskLessons>;
  /** The same for a loop state of another tool. */
  learnFromLoop(loop: unknown, options?: { isReviewed?: boolean | undefined }): Promise<PipelineResult>;
  /** Finds patterns across tasks updated since a time; with `learnings.promotion: review` it only stages them. */
  consolidate(options: { since: string; dryRun?: boolean | undefined }): Promise<Consolidated>;

  /** Adds extracted learnings to the staging area. */
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
  /**
   * Adds or merges the learnings of an exported document, all or none; its checksum must match. Those that read like
   * instructions to an agent are staged for a review, and with `learnings.promotion: review` all of them.
   */
  import(text: string): Promise<ImportedDocument>;
  /** Imports, then merges duplicates, in one transaction. */
  merge(text: string, options?: { dryRun?: boolean | undefined }): Promise<MergedStore>;
  mergeDuplicates(options?: { dryRun?: boolean | undefined }): Promise<MergedDuplicates[]>;
  /** Writes a learning as a note, to be reviewed in git, and links the two. */
  publish(id: string): Promise<PublishedLearning>;
  /** Checks the store for consistency. */
  verify(): Promise<Verification>;
  /** Ids of learnings that something other than Ralph changed, of all or only of these. Recall does not show them. */
  findAltered(learnings?: readonly Pick<Learning, "id">[]): Promise<string[]>;
  /** Keeps an altered learning as it is now. */
  acceptAltered(id: string): Promise<Learning>;
  /** Takes altered learnings from the newest good backups that have them. */
  restoreAltered(): Promise<{ restored: string[]; missing: string[] }>;
  /** Writes a backup and returns its path. */
  backUp(): Promise<string>;
  /** Restores a backup, the newest good one by default. */
  restore(path?: string): Promise<{ path: string; learnings: number }>;
}
