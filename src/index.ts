export type { Settings } from "./config/default-settings.js";
export type { LoadedSettings } from "./config/loaded-settings.js";
export type { SettingKey } from "./config/loading/schema.js";
export type { LoopIteration, LoopState } from "./domain/knowledge/learning.js";
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
} from "./domain/knowledge/learning.js";
export type { Link, LinkRelation } from "./domain/knowledge/link.js";
export type { Note, NoteOrigin, NoteType, StoredNote } from "./domain/knowledge/note.js";
export { noteTypes } from "./domain/knowledge/note.js";
export type { Skill, SkillFix, SkillUsage, SkillUse } from "./domain/knowledge/skill.js";
export { type ErrorCode, RalphError } from "./domain/ralph-error.js";
export type { Action, ActionType, Milestone } from "./domain/tasks/action.js";
export type {
  Attempt,
  AttemptContext,
  CapacityChange,
  EncounteredError,
  IterationResult,
  Outcome,
  OutcomeStatus,
  Plan,
  QualityPoint,
  Runner,
} from "./domain/tasks/attempt.js";
export type {
  Effectiveness,
  Reflection,
  ReflectionCost,
  ReflectionType,
  Trigger,
} from "./domain/tasks/reflection.js";
export type { Task, TaskStatus } from "./domain/tasks/task.js";
export type { TaskMemory, TaskMemoryReflection, TaskVector } from "./domain/tasks/task-memory.js";
export type { Handoff, HandoffContext, Ledger, LedgerContext, LedgerState } from "./domain/working.js";
export type { AttemptResult, CompletedAttempt } from "./episodic/attempts/end-attempt.js";
export type { EndedIteration, IterationEnd } from "./episodic/attempts/end-iteration.js";
export type { StartAttemptInput, StartedAttempt } from "./episodic/attempts/start-attempt.js";
export type { Logged } from "./episodic/attempts/storable-action.js";
export type { Archived } from "./episodic/history/archive-history.js";
export type {
  AttemptHistory,
  HistoryOptions,
  Replay,
  ReplayStep,
  TaskHistory,
} from "./episodic/history/query-history.js";
export type { RestoredTasks } from "./episodic/history/restore-tasks.js";
export type { RatedReflection, ReflectionInput } from "./episodic/reflections/record-reflections.js";
export type { InitTaskInput } from "./episodic/tasks/init-task.js";
export type { FoundTask, TaskSearch } from "./episodic/tasks/search-tasks.js";
export { type SummarisedTask, summariseTask, type TaskSummary } from "./episodic/tasks/summarise-task.js";
export type { Project } from "./files/find-project.js";
export { type CrossTaskExport, writeCrossTaskMemory } from "./interop/cross-task/write-memory.js";
export { readEpisodicTree, type WriteTreeOptions, writeEpisodicTree } from "./interop/episodic/layout.js";
export { type ExportedLayout, type ExportOptions, exportLayout } from "./interop/export-layout.js";
export { type ImportedLayout, type ImportOptions, importLayout } from "./interop/import-layout.js";
export type { Layout, ReadOptions, Surroundings, WrittenCounts } from "./interop/layout.js";
export { type LayoutName, layoutNames, loadLayout, type PortLayout } from "./interop/layout.js";
export type { Embedded, EmbedOptions } from "./memory/derived/vectors/embed-records.js";
export type { Health, HealthCheck } from "./memory/health/check-health.js";
export type { MemoryFile } from "./memory/health/memory-files.js";
export type { ForeignFile, ForeignKind, ForeignRecord } from "./memory/imports/foreign-record.js";
export type { ImportOutcome, ImportReport } from "./memory/imports/import-report.js";
export type { ImportVerbs, TakeOptions } from "./memory/imports/import-verbs.js";
export type { ExportedLearnings, ExportFormat } from "./memory/learnings/exchange/export-learnings.js";
export type { LearningVerbs, MergedStore } from "./memory/learnings/learning-verbs.js";
export { LearningExtractor } from "./memory/learnings/published-classes/learning-extractor.js";
export { MemoryPromotion } from "./memory/learnings/published-classes/memory-promotion.js";
export { MemoryRetrieval } from "./memory/learnings/published-classes/memory-retrieval.js";
export {
  type LearningMetadata,
  SemanticMemory,
} from "./memory/learnings/published-classes/semantic-memory.js";
export type { LearningsSource } from "./memory/learnings/published-classes/share-learnings.js";
export type { LinkInput, LinkVerbs } from "./memory/links/links.js";
export type { Memory } from "./memory/memory.js";
export type { InitNotesResult, InitStep } from "./memory/notes/init-notes.js";
export type { NoteListing, NoteSelection } from "./memory/notes/list-notes.js";
export type { AddedNote, EditedNote, NewNote, NoteEdit } from "./memory/notes/note-input.js";
export type { NoteVerbs } from "./memory/notes/notes.js";
export type { Prime, PrimeCounts, PrimeOptions, PrimeText } from "./memory/notes/prime-notes.js";
export type { NoteSearch } from "./memory/notes/search-notes.js";
export type { Notice } from "./memory/notice.js";
export { openMemory } from "./memory/open-memory.js";
export type { OpenMemoryOptions } from "./memory/project/open-project.js";
export type { OmittedEntry, Recall, RecalledEntry, RecallInput } from "./memory/recall/recall-input.js";
export type { SimilarTaskSearch } from "./memory/recall/similar-tasks.js";
export type {
  DumpOrigin,
  LoadedRecords,
  LoadProgress,
  LoadRecordsOptions,
  RecordDump,
  RecordVerbs,
} from "./memory/records/record-verbs.js";
export type {
  AddedSkill,
  DraftedSkill,
  LinkSkillsInput,
  MatchedSkill,
  ShownSkill,
  SkillVerbs,
  StoredSkill,
} from "./memory/skills/skills.js";
export type { BeforeTask, BriefEntry, StartedWithBrief } from "./memory/tasks/start-task.js";
export type {
  LoggedEntries,
  LogOptions,
  ShownToTask,
  TaskListing,
  TaskVerbs,
} from "./memory/tasks/tasks.js";
export type { ContinuityOptions, UpdatedContinuity } from "./memory/working/continuity.js";
export type { CreatedHandoff } from "./memory/working/handoffs.js";
export type { LedgerView } from "./memory/working/ledgers.js";
export type { ShownContinuity, WorkingVerbs } from "./memory/working/working.js";
export type { SkillLink } from "./procedural/link-skills.js";
export {
  parseSkillFile,
  renderSkill,
  renderSkillFile,
  type SkillFile,
  toSkill,
} from "./procedural/skill-file.js";
export type { Comparison, Verdict } from "./recall/metrics/compare.js";
export type { GroupAt, ImpactOverTime, ImpactPoint, ImpactTask } from "./recall/metrics/impact-over-time.js";
export type { ImpactMetrics } from "./recall/metrics/measure-impact.js";
export {
  renderSimilarTasks,
  type SimilarTaskEntry,
  type SimilarTaskRendering,
} from "./recall/similar/render-similar-tasks.js";
export type { SimilarTask } from "./recall/similar/similar-task.js";
export type { SimilarityParts } from "./recall/similar/task-similarity.js";
export type { WeighedLearning, WeighedOutcomes } from "./semantic/evidence.js";
export type { Verification } from "./semantic/exchange/exchange-learnings.js";
export type { KnowledgeStats, LearningQuery } from "./semantic/records/learning-records.js";
export type { Lineage } from "./semantic/records/link-records.js";
export type { NewLearning } from "./semantic/records/store-learning.js";
export type {
  KnowledgeContext,
  RankedLearning,
  RelevantKnowledge,
} from "./semantic/retrieve/relevant-knowledge.js";
export type { LearningSearch } from "./semantic/retrieve/search-learnings.js";
export type { PromotionOptions } from "./semantic/staging/promote-learnings.js";
export type { PipelineResult } from "./semantic/staging/settle-findings.js";
export type { StagingStats } from "./semantic/staging/stage-learnings.js";
export type { Validation } from "./semantic/staging/validate-learning.js";
export { fenceAsData, neutraliseContent } from "./text/fence/fence.js";
export type { SecretKind } from "./text/secrets/mark.js";
export { type Redacted, redact } from "./text/secrets/redact.js";
export { countTokens } from "./text/tokens/count-tokens.js";
export type { HandoffInput } from "./working/handoff.js";
export { handoffIntro, renderHandoff } from "./working/handoff.js";
export type { Checkpoint } from "./working/ledger.js";
