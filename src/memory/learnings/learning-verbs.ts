import type { Brief } from "../../domain/knowledge/brief.js";
import type {
  Complexity,
  ExtractedLearning,
  Learning,
  LearningsDocument,
  StagedLearning,
} from "../../domain/knowledge/learning.js";
import type { Link } from "../../domain/knowledge/link.js";
import type { LoopState } from "../../domain/tasks/loop-state.js";
import type { Imported, Verification } from "../../semantic/exchange/exchange-learnings.js";
import type { Consolidated } from "../../semantic/extract/consolidate.js";
import type { MergedDuplicates } from "../../semantic/merge/merge-duplicates.js";
import type { KnowledgeStats, LearningQuery } from "../../semantic/records/learning-records.js";
import type { RecordLink } from "../../semantic/records/link-records.js";
import type { PrunedLearning, PruneOptions } from "../../semantic/records/prune-learnings.js";
import type { NewLearning } from "../../semantic/records/store-learning.js";
import type {
  KnowledgeContext,
  RankedLearning,
  RelevantKnowledge,
} from "../../semantic/retrieve/relevant-knowledge.js";
import type { Promoted, PromotionOptions } from "../../semantic/staging/promote-learnings.js";
import type { PipelineResult } from "../../semantic/staging/run-pipeline.js";
import type { StagingStats } from "../../semantic/staging/stage-learnings.js";
import type { LearningContext, TaskLessons } from "./learn-from-tasks.js";
import type { Staleness } from "./learning-staleness.js";
import type { LearningEvidence } from "./why-learning.js";

/** What can be done with learnings, the staging area and links. */
export interface LearningVerbs {
  /** Records a learning as it is. */
  storeLearning(learning: NewLearning): Promise<Learning>;
  /** Hands a learning out, which counts as a use; nothing when there is none. */
  retrieveLearning(id: string): Promise<Learning | undefined>;
  /** Looks at a learning without using it. An id may be shortened to what is unique. */
  getLearning(id: string): Promise<Learning>;
  /** Best score first. */
  queryLearnings(query?: LearningQuery): Promise<Learning[]>;
  updateLearning(id: string, updates: Partial<Learning>): Promise<Learning>;
  /** False when there is none. */
  deleteLearning(id: string): Promise<boolean>;
  /** How many there were. */
  clearLearnings(): Promise<number>;
  learningStats(): Promise<KnowledgeStats>;
  verifyLearnings(): Promise<Verification>;
  /** The whole store in the published form. */
  loadLearnings(): Promise<{ document: LearningsDocument; leftOut: number }>;
  /** Applies what was changed in a document since it was loaded. */
  saveLearnings(document: LearningsDocument, before?: readonly Learning[]): Promise<void>;
  /** Joins the learnings of an exchange document, whose checksum must match. */
  importLearnings(text: string): Promise<Imported>;
  /** The same, and then merges what says the same; all of it or nothing. */
  joinStore(text: string, options?: { isDryRun?: boolean }): Promise<JoinedStore>;
  /** Merges learnings that say the same. */
  mergeDuplicates(options?: { isDryRun?: boolean }): Promise<MergedDuplicates[]>;
  pruneLearnings(options: PruneOptions): Promise<PrunedLearning[]>;

  /** Puts findings into the staging area. */
  stageLearnings(found: readonly ExtractedLearning[]): Promise<StagedLearning[]>;
  listStaged(): Promise<StagedLearning[]>;
  stagingStats(): Promise<StagingStats>;
  validateStaged(): Promise<{ validated: number; rejected: number }>;
  acceptStaged(id: string, statement?: string): Promise<StagedLearning>;
  rejectStaged(id: string, reason: string): Promise<StagedLearning>;
  promoteStaged(options?: PromotionOptions): Promise<Promoted>;
  clearStaging(): Promise<void>;
  /** Extracts from a loop, stages, validates and promotes. */
  runPipeline(loop: LoopState, options?: PromotionOptions): Promise<PipelineResult>;
  /** The same for a task of this memory. */
  learnFromTask(taskId: string, options?: { isReviewed?: boolean }): Promise<TaskLessons>;
  /** Draws general knowledge from the tasks that were changed since a time. */
  consolidate(options: { since: string; isDryRun?: boolean }): Promise<Consolidated>;

  relevantKnowledge(context: KnowledgeContext): Promise<RelevantKnowledge>;
  antiPatterns(context: KnowledgeContext): Promise<Learning[]>;
  fileConventions(filePatterns: readonly string[]): Promise<Learning[]>;
  findEstimate(taskType: string, complexity?: Complexity): Promise<Learning | undefined>;
  topLearnings(context: KnowledgeContext, limit: number): Promise<RankedLearning[]>;
  /** Where a learning comes from and what became of it. */
  whyLearning(id: string): Promise<LearningEvidence>;
  /** Learnings whose files changed a lot since they were drawn from them. */
  findStale(learnings: readonly Learning[]): Promise<Staleness[]>;
  /** Records what was put into a prompt. */
  recordBrief(brief: Brief): Promise<void>;

  /** False when it is known already. */
  addLink(link: Link): Promise<boolean>;
  /** False when there is none. */
  removeLink(link: Link): Promise<boolean>;
  listLinks(id?: string): Promise<RecordLink[]>;

  /** Where the backup is. */
  backUpLearnings(): Promise<string>;
  /** From the newest good backup when none is named. */
  restoreLearnings(path?: string): Promise<{ path: string; learnings: number }>;
}

export interface JoinedStore extends Imported {
  duplicates: MergedDuplicates[];
}

/** How the verbs reach the store. */
export interface LearningAccess {
  /** The folder that Git is asked in. */
  root: string;
  recording: LearningWork;
  /** For changes of what must be there already: a project without a memory stays one. */
  changing: LearningWork;
  reading: LearningWork;
}

type LearningWork = <Result>(
  work: (context: LearningContext, backups: string) => Promise<Result>,
) => Promise<Result>;
