export type { Settings } from "./config/default-settings.js";
export type { LoadedSettings } from "./config/loaded-settings.js";
export type { SettingKey } from "./config/schema.js";
export type { Action, ActionType, Milestone } from "./domain/action.js";
export type {
  Attempt,
  AttemptContext,
  EncounteredError,
  IterationResult,
  Outcome,
  OutcomeStatus,
  Plan,
  QualityPoint,
  Runner,
} from "./domain/attempt.js";
export type { CapacityChange } from "./domain/capacity-change.js";
export type { Handoff, HandoffContext } from "./domain/handoff.js";
export {
  type Complexity,
  type ExtractedLearning,
  type Learning,
  type LearningContent,
  type LearningDetails,
  type LearningStats,
  type LearningsDocument,
  type LearningType,
  learningTypes,
  type StagedLearning,
  type StagingDocument,
  type StagingStatus,
  type TaskType,
  taskTypes,
} from "./domain/learning.js";
export type { Ledger, LedgerContext, LedgerState } from "./domain/ledger.js";
export type { Link, LinkRelation } from "./domain/link.js";
export type { LoopIteration, LoopState } from "./domain/loop-state.js";
export type { Note, NoteOrigin, NoteType, StoredNote } from "./domain/note.js";
export { noteTypes } from "./domain/note.js";
export { type ErrorCode, RalphError } from "./domain/ralph-error.js";
export type {
  Effectiveness,
  Reflection,
  ReflectionCost,
  ReflectionType,
  Trigger,
} from "./domain/reflection.js";
export type { Run, RunEnd, RunEndKind, RunOptions, RunUsage } from "./domain/run.js";
export type { Skill, SkillFix, SkillUsage, SkillUse } from "./domain/skill.js";
export type { Task, TaskStatus } from "./domain/task.js";
export type { RememberedReflection, TaskMemory } from "./domain/task-memory.js";
export type { Archived } from "./episodic/archive-history.js";
export type { AttemptResult } from "./episodic/attempt-result.js";
export type { CompletedAttempt } from "./episodic/complete-attempt.js";
export type { InitTaskInput } from "./episodic/init-task.js";
export type { Logged } from "./episodic/log-entries.js";
export type { AttemptHistory, HistoryOptions, TaskHistory } from "./episodic/query-history.js";
export type { RatedReflection } from "./episodic/rate-by-hand.js";
export { type LogEntry, readLogEntry } from "./episodic/read-log-entry.js";
export type { ReflectionInput } from "./episodic/reflect-by-hand.js";
export type { Replay, ReplayStep } from "./episodic/replay-attempt.js";
export type { RestoredTasks } from "./episodic/restore-tasks.js";
export type { FoundTask, TaskSearch } from "./episodic/search-tasks.js";
export type { StartAttemptInput, StartedAttempt } from "./episodic/start-attempt.js";
export { type SummarisedTask, summariseTask, type TaskSummary } from "./episodic/summarise-task.js";
export type { Project } from "./files/find-project.js";
export { type CrossTaskExport, writeCrossTaskMemory } from "./interop/cross-task/write-memory.js";
export { readEpisodicTree } from "./interop/episodic/read-tree.js";
export { type WriteTreeOptions, writeEpisodicTree } from "./interop/episodic/write-tree.js";
export type { AddedNote, NewNote } from "./memory/add-note.js";
export type { BeforeTask, BriefEntry } from "./memory/before-task.js";
export type { EditedNote, NoteEdit } from "./memory/edit-note.js";
export type { SimilarTaskSearch } from "./memory/find-similar-tasks.js";
export type { Health, HealthCheck } from "./memory/health/check-health.js";
export type { InitNotesResult, InitStep } from "./memory/init-notes.js";
export type { LearningVerbs } from "./memory/learning-verbs.js";
export type { NoteListing, NoteSelection } from "./memory/list-notes.js";
export type { Embedded, EmbedOptions } from "./memory/meaning/embed-records.js";
export type { Memory } from "./memory/memory.js";
export type { Notice } from "./memory/notice.js";
export { type OpenMemoryOptions, openMemory } from "./memory/open-memory.js";
export type { Prime, PrimeCounts, PrimeOptions, PrimeText } from "./memory/prime-notes.js";
export { LearningExtractor } from "./memory/published-classes/learning-extractor.js";
export { MemoryPromotion } from "./memory/published-classes/memory-promotion.js";
export { MemoryRetrieval } from "./memory/published-classes/memory-retrieval.js";
export { type LearningMetadata, SemanticMemory } from "./memory/published-classes/semantic-memory.js";
export type { LearningsSource } from "./memory/published-classes/share-learnings.js";
export type { Recall, RecalledEntry, RecallInput, RecallVerbs } from "./memory/recall-verbs.js";
export type { AdoptedAttempt, RunVerbs } from "./memory/run-verbs.js";
export type { NoteSearch } from "./memory/search-notes.js";
export type { SimilarTaskVerbs } from "./memory/similar-task-verbs.js";
export type {
  AddedSkill,
  DraftedSkill,
  LinkSkillsInput,
  MatchedSkill,
  ShownSkill,
  SkillVerbs,
  StoredSkill,
} from "./memory/skill-verbs.js";
export type { StartedWithBrief } from "./memory/start-with-brief.js";
export type { TaskVerbs } from "./memory/task-verbs.js";
export type {
  ContinuityOptions,
  CreatedHandoff,
  LedgerView,
  ShownContinuity,
  UpdatedContinuity,
  WorkingVerbs,
} from "./memory/working-verbs.js";
export type { SkillLink } from "./procedural/link-skills.js";
export {
  parseSkillFile,
  renderSkill,
  renderSkillFile,
  type SkillFile,
  toSkill,
} from "./procedural/skill-file.js";
export type { Comparison, Verdict } from "./recall/metrics/compare.js";
export type { ImpactMetrics } from "./recall/metrics/measure-impact.js";
export {
  renderSimilarTasks,
  type SimilarTaskEntry,
  type SimilarTaskRendering,
} from "./recall/render-similar-tasks.js";
export type { SimilarTask } from "./recall/similar-task.js";
export type { SimilarityParts } from "./recall/task-similarity.js";
export type { Verification } from "./semantic/exchange-learnings.js";
export type { KnowledgeStats, LearningQuery } from "./semantic/learning-records.js";
export type { PromotionOptions } from "./semantic/promote-learnings.js";
export type { KnowledgeContext, RankedLearning, RelevantKnowledge } from "./semantic/relevant-knowledge.js";
export type { PipelineResult } from "./semantic/run-pipeline.js";
export type { StagingStats } from "./semantic/stage-learnings.js";
export type { NewLearning } from "./semantic/store-learning.js";
export type { Validation } from "./semantic/validate-learning.js";
export { countTokens } from "./text/count-tokens.js";
export { fenceAsData, neutraliseContent } from "./text/fence.js";
export { type Redacted, redact, type SecretKind } from "./text/redact.js";
export type { HandoffInput } from "./working/handoff.js";
export type { Checkpoint } from "./working/ledger.js";
export { handoffIntro, renderHandoff } from "./working/render-handoff.js";
