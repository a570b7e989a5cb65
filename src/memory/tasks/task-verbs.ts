import type { Effectiveness, Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import type { AttemptResult } from "../../episodic/attempts/attempt-result.js";
import type { CompletedAttempt } from "../../episodic/attempts/complete-attempt.js";
import type { Logged } from "../../episodic/attempts/log-entries.js";
import type { LogEntry } from "../../episodic/attempts/read-log-entry.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import type { Archived } from "../../episodic/history/archive-history.js";
import type { HistoryOptions, TaskHistory } from "../../episodic/history/query-history.js";
import type { Replay } from "../../episodic/history/replay-attempt.js";
import type { RestoredTasks } from "../../episodic/history/restore-tasks.js";
import type { RatedReflection } from "../../episodic/reflections/rate-by-hand.js";
import type { ReflectionInput } from "../../episodic/reflections/reflect-by-hand.js";
import type { InitTaskInput } from "../../episodic/tasks/init-task.js";
import type { FoundTask, TaskSearch } from "../../episodic/tasks/search-tasks.js";
import type { FindRecords } from "../../search/search-records.js";
import type { TaskFilter } from "../../store/repositories/tasks/tasks.js";
import type { Store } from "../../store/store.js";
import type { Recall, RecallInput } from "../recall/recall-verbs.js";
import type { BeforeTask } from "./before-task.js";
import type { StartedWithBrief, StartWithBriefInput } from "./start-with-brief.js";
import { taskNotFound } from "./task-not-found.js";

/** What can be done with tasks, attempts, actions and reflections. */
export interface TaskVerbs {
  /** Records a new task. */
  initTask(task: InitTaskInput): Promise<Task>;
  /** Starts the next attempt of a task, with the reflections of earlier ones and a plan that uses them; what its agent
   * accepted from another one comes first. */
  startAttempt(taskId: string, input?: StartWithBriefInput): Promise<StartedWithBrief>;
  /** What other tasks taught about an objective: patterns, mistakes and skills. */
  beforeTask(objective: string): Promise<BeforeTask>;
  /** Adds actions, milestones and results of iterations to the attempt that is under way. */
  logEntries(taskId: string, entries: readonly LogEntry[]): Promise<Logged>;
  /** Adds one action, as other programs write it. */
  logAction(taskId: string, action: object): Promise<Logged>;
  /** Ends the attempt that is under way and reflects on it. */
  completeAttempt(taskId: string, result: AttemptResult): Promise<CompletedAttempt>;
  /** Records a reflection by hand. */
  reflect(taskId: string, input: ReflectionInput): Promise<Reflection>;
  /** Says how much a reflection helped. */
  rateReflection(taskId: string, effectiveness: Effectiveness, which?: RatedReflection): Promise<Reflection>;
  pauseTask(taskId: string): Promise<Task>;
  continueTask(taskId: string): Promise<Task>;
  /** Newest first. */
  listTasks(filter?: TaskFilter, limit?: number): Promise<Task[]>;
  /** Everything about one task. */
  queryHistory(taskId: string, options?: HistoryOptions): Promise<TaskHistory>;
  /** Tasks that answer a question, best first. */
  searchTasks(search: TaskSearch): Promise<FoundTask[]>;
  /** The actions of an attempt, the last one by default, with their timing. */
  replayAttempt(taskId: string, options?: { attempt?: number; from?: number }): Promise<Replay>;
  /** Summarises attempts of more than a week and archives tasks of more than a month. */
  archiveHistory(options?: { isDryRun?: boolean }): Promise<Archived>;
  /** Takes over tasks with all their records, as they are. */
  restoreTasks(histories: readonly TaskHistory[]): Promise<RestoredTasks>;
}

/** How the verbs reach the store. */
export interface TaskAccess {
  recording<Result>(work: (context: EpisodicContext) => Promise<Result>): Promise<Result>;
  reading<Result>(
    work: (context: EpisodicContext) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result>;
  /** What matters for an objective or a task, without recording that it was asked for. */
  lookUp(input: RecallInput): Promise<Recall>;
  /** How records are found; by words alone where it says nothing. */
  findBy(store: Store): Promise<FindRecords | undefined>;
  /** Learns from a task whose attempt has ended; tells what went wrong with that, attempt and outcome being kept. */
  afterAttempt(taskId: string): Promise<string[]>;
}

export function makeTaskVerbs({ recording, reading, afterAttempt, lookUp, findBy }: TaskAccess): TaskVerbs {
  const readingTask = <Result>(id: string, work: (context: EpisodicContext) => Promise<Result>) =>
    reading(work, () => {
      throw taskNotFound(id);
    });
  return {
    initTask: (task) =>
      recording(async (context) =>
        (await import("../../episodic/tasks/init-task.js")).initTask(context, task),
      ),
    async startAttempt(id, { hasBrief = true, ...input } = {}) {
      const recalled = hasBrief ? await lookUp({ taskId: id, hasReflections: false }) : undefined;
      return recording(async (context) =>
        (await import("./start-with-brief.js")).startWithBrief(context, id, input, recalled),
      );
    },
    beforeTask: async (objective) =>
      (await import("./before-task.js")).toBeforeTask(await lookUp({ objective })),
    logEntries: (id, entries) =>
      recording(async (context) =>
        (await import("../../episodic/attempts/log-entries.js")).logEntries(context, id, entries),
      ),
    async logAction(id, action) {
      const { readLogEntry } = await import("../../episodic/attempts/read-log-entry.js");
      return recording(async (context) => {
        const entry = readLogEntry(action, context.clock().toISOString());
        return (await import("../../episodic/attempts/log-entries.js")).logEntries(context, id, [entry]);
      });
    },
    async completeAttempt(id, result) {
      const completed = await recording(async (context) => {
        await (await import("./run-verbs.js")).refuseDuringRun(context, id);
        return (await import("../../episodic/attempts/complete-attempt.js")).completeAttempt(
          context,
          id,
          result,
        );
      });
      const problems = await afterAttempt(id);
      if (problems.length === 0) return completed;
      return { ...completed, degraded: [...(completed.degraded ?? []), ...problems] };
    },
    reflect: (id, input) =>
      recording(async (context) =>
        (await import("../../episodic/reflections/reflect-by-hand.js")).reflectByHand(context, id, input),
      ),
    rateReflection: (id, effectiveness, which = {}) =>
      recording(async (context) =>
        (await import("../../episodic/reflections/rate-by-hand.js")).rateByHand(
          context,
          id,
          effectiveness,
          which,
        ),
      ),
    pauseTask: (id) =>
      recording(async (context) => {
        await (await import("./run-verbs.js")).refuseDuringRun(context, id);
        return (await import("../../episodic/tasks/pause-task.js")).pauseTask(context, id);
      }),
    continueTask: (id) =>
      recording(async (context) =>
        (await import("../../episodic/tasks/pause-task.js")).continueTask(context, id),
      ),
    listTasks: (filter = {}, limit = undefined) =>
      reading(
        async (context) =>
          (await import("../../episodic/history/query-history.js")).listTasks(context, filter, limit),
        () => [],
      ),
    queryHistory: (id, options = {}) =>
      readingTask(id, async (context) =>
        (await import("../../episodic/history/query-history.js")).queryHistory(context, id, options),
      ),
    searchTasks: (search) =>
      reading(
        async (context) =>
          (await import("../../episodic/tasks/search-tasks.js")).searchTasks(
            context,
            search,
            await findBy(context.store),
          ),
        () => [],
      ),
    replayAttempt: (id, options = {}) =>
      readingTask(id, async (context) =>
        (await import("../../episodic/history/replay-attempt.js")).replayAttempt(context, id, options),
      ),
    archiveHistory: ({ isDryRun } = {}) =>
      recording(async (context) => {
        const { archiveHistory } = await import("../../episodic/history/archive-history.js");
        const { listReferenced } = await import("./list-referenced.js");
        return archiveHistory(context, { isDryRun, listReferenced });
      }),
    restoreTasks: (histories) =>
      recording(async (context) =>
        (await import("../../episodic/history/restore-tasks.js")).restoreTasks(context, histories),
      ),
  };
}
