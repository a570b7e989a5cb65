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
export type { Task, TaskStatus } from "./domain/task.js";
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
export { summariseTask, type TaskSummary } from "./episodic/summarise-task.js";
export type { Project } from "./files/find-project.js";
export { readEpisodicTree } from "./interop/episodic/read-tree.js";
export { type WriteTreeOptions, writeEpisodicTree } from "./interop/episodic/write-tree.js";
export type { AddedNote, NewNote } from "./memory/add-note.js";
export type { EditedNote, NoteEdit } from "./memory/edit-note.js";
export type { Health, HealthCheck } from "./memory/health/check-health.js";
export type { InitNotesResult, InitStep } from "./memory/init-notes.js";
export type { NoteListing, NoteSelection } from "./memory/list-notes.js";
export type { Memory } from "./memory/memory.js";
export type { Notice } from "./memory/notice.js";
export { type OpenMemoryOptions, openMemory } from "./memory/open-memory.js";
export type { Prime, PrimeCounts, PrimeOptions, PrimeText } from "./memory/prime-notes.js";
export type { NoteSearch } from "./memory/search-notes.js";
export type { TaskVerbs } from "./memory/task-verbs.js";
export { countTokens } from "./text/count-tokens.js";
export { fenceAsData, neutraliseContent } from "./text/fence.js";
export { type Redacted, redact, type SecretKind } from "./text/redact.js";
