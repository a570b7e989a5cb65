import type { BriefRecord } from "../../domain/knowledge/brief.js";
import type { Effectiveness, Reflection } from "../../domain/tasks/reflection.js";
import type { Task, TaskStatus } from "../../domain/tasks/task.js";
import type { TaskMemory, TaskVector } from "../../domain/tasks/task-memory.js";
import type { AttemptResult } from "../../episodic/attempts/attempt-result.js";
import type { CompletedAttempt } from "../../episodic/attempts/complete-attempt.js";
import type { EndedIteration, IterationEnd } from "../../episodic/attempts/end-iteration.js";
import type { Logged } from "../../episodic/attempts/log-entries.js";
import type { Archived } from "../../episodic/history/archive-history.js";
import type { HistoryOptions, TaskHistory } from "../../episodic/history/query-history.js";
import type { Replay } from "../../episodic/history/replay-attempt.js";
import type { RestoredTasks } from "../../episodic/history/restore-tasks.js";
import type { RatedReflection } from "../../episodic/reflections/rate-by-hand.js";
import type { ReflectionInput } from "../../episodic/reflections/reflect-by-hand.js";
import type { InitTaskInput } from "../../episodic/tasks/init-task.js";
import type { FoundTask, TaskSearch } from "../../episodic/tasks/search-tasks.js";
import type { SimilarTask } from "../../recall/similar/similar-task.js";
import type { TaskFilter } from "../../store/repositories/tasks/tasks.js";
import type { KeptForLater } from "../outbox/outbox-entry.js";
import type { SimilarTaskSearch } from "../recall/similar/find-similar-tasks.js";
import type { BeforeTask } from "./brief/before-task.js";
import type { StartedWithBrief, StartWithBriefInput } from "./brief/start-with-brief.js";

export interface TaskListing extends TaskFilter {
  limit?: number | undefined;
  /** How many to skip. */
  offset?: number | undefined;
}

/** What briefs put into the prompts of a task. */
export interface ShownToTask {
  /** It is in the control group, and was shown nothing from other tasks; undefined before its first brief. */
  isHoldout: boolean | undefined;
  records: BriefRecord[];
}

export interface LogOptions {
  /** Only checks the entries, and reports the first malformed one instead of throwing. */
  dryRun?: boolean | undefined;
}

export interface LoggedEntries extends Logged {
  /** The first malformed entry, in a dry run. */
  malformed?: { index: number; message: string };
}

/** `memory.tasks`: tasks, their attempts, actions and reflections. */
export interface TaskVerbs {
  /** Records a new task. */
  init(task: InitTaskInput): Promise<Task>;
  /** Starts the next attempt; its plan contains earlier reflections, handoffs and a brief. */
  start(taskId: string, input?: StartWithBriefInput): Promise<StartedWithBrief>;
  /** Adds actions, milestones and iteration results to the attempt in progress, all or none. */
  log(taskId: string, entries: readonly object[], options?: LogOptions): Promise<LoggedEntries>;
  /** Records how an iteration of the attempt in progress ended, rates the reflection before it, and reflects on a failure. */
  endIteration(taskId: string, end: IterationEnd): Promise<EndedIteration>;
  /** Ends the attempt in progress, reflects on it and learns from it. */
  complete(taskId: string, result: AttemptResult): Promise<CompletedAttempt>;
  /** The same; while a team's server is away, the result waits on this machine. */
  completeOrLater(taskId: string, result: AttemptResult): Promise<CompletedAttempt | KeptForLater>;
  /** Adds a reflection by hand. */
  reflect(taskId: string, input: ReflectionInput): Promise<Reflection>;
  /** Rates how much a reflection helped. */
  rate(taskId: string, effectiveness: Effectiveness, which?: RatedReflection): Promise<Reflection>;
  pause(taskId: string): Promise<Task>;
  continue(taskId: string): Promise<Task>;
  /** Newest first. */
  list(listing?: TaskListing): Promise<Task[]>;
  /** How many tasks match, by status; a status without any is left out. */
  count(filter?: TaskFilter): Promise<Partial<Record<TaskStatus, number>>>;
  /** What briefs showed to a task. */
  shown(taskId: string): Promise<ShownToTask>;
  /** The full record of one task. */
  history(taskId: string, options?: HistoryOptions): Promise<TaskHistory>;
  /** Best match first. */
  search(search: TaskSearch): Promise<FoundTask[]>;
  /** The actions of an attempt (the last one by default) with their timing. */
  replay(taskId: string, options?: { attempt?: number; from?: number }): Promise<Replay>;
  /** Finished tasks similar to an objective, most similar first; none if `cross_task_learning.enabled` is off. */
  similar(search: SimilarTaskSearch): Promise<SimilarTask[]>;
  /** What other tasks taught that matters for an objective: patterns, mistakes and skills. */
  before(objective: string): Promise<BeforeTask>;
  /** A task's record for cross-task learning, in its published schema; `isWindowOnly` leaves out reflections outside its window. */
  memory(taskId: string, options?: { isWindowOnly?: boolean | undefined }): Promise<TaskMemory>;
  /** A task's vector by the configured embedder; undefined if there is none, or the task is not embedded yet. */
  vector(taskId: string): Promise<TaskVector | undefined>;
  /** Summarises attempts older than a week and archives tasks older than a month. */
  archive(options?: { dryRun?: boolean | undefined }): Promise<Archived>;
  /** Imports tasks with all their records, unchanged. */
  restore(histories: readonly TaskHistory[]): Promise<RestoredTasks>;
}
