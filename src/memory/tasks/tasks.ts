import type { BriefRecord } from "../../domain/knowledge/brief.js";
import type { LearningType } from "../../domain/knowledge/learning.js";
import { isStoreAway, messageOf, RalphError } from "../../domain/ralph-error.js";
import type { Effectiveness, Reflection } from "../../domain/tasks/reflection.js";
import type { Task, TaskStatus } from "../../domain/tasks/task.js";
import type { TaskMemory, TaskVector } from "../../domain/tasks/task-memory.js";
import type { AttemptResult } from "../../episodic/attempts/end-attempt.js";
import { type CompletedAttempt, completeAttempt } from "../../episodic/attempts/end-attempt.js";
import {
  type EndedIteration,
  endIteration,
  type IterationEnd,
} from "../../episodic/attempts/end-iteration.js";
import {
  type LogEntry,
  type Logged,
  logEntries,
  readLogEntry,
} from "../../episodic/attempts/storable-action.js";
import { type Archived, archiveHistory } from "../../episodic/history/archive-history.js";
import {
  type HistoryOptions,
  listTasks,
  queryHistory,
  type Replay,
  replayAttempt,
  type TaskHistory,
} from "../../episodic/history/query-history.js";
import { type RestoredTasks, restoreTasks } from "../../episodic/history/restore-tasks.js";
import {
  type RatedReflection,
  type ReflectionInput,
  rateByHand,
  reflectByHand,
} from "../../episodic/reflections/record-reflections.js";
import { continueTask, type InitTaskInput, initTask, pauseTask } from "../../episodic/tasks/init-task.js";
import { type FoundTask, searchTasks, type TaskSearch } from "../../episodic/tasks/search-tasks.js";
import { type SimilarTask, taskMemory } from "../../recall/similar/similar-task.js";
import type { TaskFilter } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { closeTask } from "../learnings/lessons/learn-from-tasks.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { OpenProject } from "../project/open-project.js";
import { type TaskContext, taskAccess } from "../project/task-context.js";
import { recall } from "../recall/recall.js";
import { type SimilarTaskSearch, similarTasks } from "../recall/similar-tasks.js";
import { refuseDuringRun } from "../runs/refuse-second-run.js";
import { countSkillUses } from "../skills/count-skill-uses.js";
import { taskNotFound } from "../task-not-found.js";
import { type KeptForLater, learnOrLater, logOrLater, orLater } from "../team/outbox.js";
import {
  type BeforeTask,
  type StartedWithBrief,
  type StartWithBriefInput,
  startWithBrief,
  toBeforeTask,
} from "./start-task.js";

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

export function taskVerbs(project: OpenProject): TaskVerbs {
  const { read, write } = taskAccess(project);

  const readTask = <Result>(id: string, work: (context: TaskContext) => Promise<Result>) =>
    read(work, () => {
      throw taskNotFound(id);
    });

  const complete = async (id: string, result: AttemptResult): Promise<CompletedAttempt> => {
    const completed = await write((context) =>
      completeAttempt(context, id, result, async (store) => {
        if (result.runId === undefined) await refuseDuringRun({ ...context, store }, id);
      }),
    );
    project.reportLeftOut("reflector");
    const problems = await learnOrLater(project, id, () =>
      write((context) => learnFromAttempt(project, context, id, { isFatal: isStoreAway })),
    );
    if (problems.length === 0) return completed;
    return { ...completed, degraded: [...(completed.degraded ?? []), ...problems] };
  };

  return {
    init: (task) => write((context) => initTask(context, task)),
    async start(id, { hasBrief = true, ...input } = {}) {
      const recalled = hasBrief ? await recall(project, { taskId: id, hasReflections: false }) : undefined;
      return write((context) => startWithBrief(context, id, input, recalled));
    },
    async log(id, raw, { dryRun = false } = {}) {
      const now = project.clock().toISOString();
      const entries: LogEntry[] = [];
      for (const [index, entry] of raw.entries()) {
        try {
          entries.push(await readLogEntry(entry, now));
        } catch (error) {
          if (!dryRun || !(error instanceof RalphError)) throw error;
          return { logged: 0, duplicates: 0, malformed: { index, message: error.message } };
        }
      }
      if (dryRun) return { logged: 0, duplicates: 0 };
      return logOrLater(project, { verb: "log", taskId: id, entries }, (keyed) =>
        write((context) => logEntries(context, id, keyed)),
      );
    },
    endIteration: (id, end) => write((context) => endIteration(context, id, end)),
    complete,
    async completeOrLater(id, result) {
      return orLater(project, { verb: "complete", taskId: id, result }, () => complete(id, result));
    },
    reflect: (id, input) => write((context) => reflectByHand(context, id, input)),
    rate: (id, effectiveness, which = {}) =>
      write((context) => rateByHand(context, id, effectiveness, which)),
    pause: (id) =>
      write(async (context) => {
        await refuseDuringRun(context, id);
        return pauseTask(context, id);
      }),
    continue: (id) => write((context) => continueTask(context, id)),
    list: ({ limit, offset, ...filter } = {}) =>
      read(
        (context) => listTasks(context, filter, limit, offset),
        () => [],
      ),
    count: (filter = {}) =>
      read(
        ({ store }) => store.tasks.countByStatus(filter),
        () => ({}),
      ),
    shown: (id) =>
      readTask(id, async ({ store }) => ({
        isHoldout: await store.credits.findHoldout(id),
        records: await store.credits.listShown(id),
      })),
    history: (id, options = {}) => readTask(id, (context) => queryHistory(context, id, options)),
    search: (search) =>
      read(
        async (context) => searchTasks(context, search, await project.recordFinder(context.store)),
        () => [],
      ),
    replay: (id, options = {}) => readTask(id, (context) => replayAttempt(context, id, options)),
    async similar(search) {
      const settings = await project.settings();
      if (!settings["cross_task_learning.enabled"]) return [];
      return project.read(
        async ({ store }) => {
          const vectors = (await project.configuredVectorSearch())?.taskVectors(store);
          return similarTasks(store, search, { settings, now: project.clock(), vectors });
        },
        () => [],
      );
    },
    before: async (objective) => toBeforeTask(await recall(project, { objective })),
    memory: (id, { isWindowOnly = false } = {}) =>
      readTask(id, ({ store, window }) => taskMemory(store, id, isWindowOnly ? window : undefined)),
    async vector(id) {
      const vectors = await project.configuredVectorSearch();
      return project.read<TaskVector | undefined>(
        async ({ store }) => vectors?.findTaskVector(store, id),
        () => undefined,
      );
    },
    archive: ({ dryRun } = {}) =>
      write((context) => archiveHistory(context, { dryRun, listReferenced: listReferenced })),
    restore: (tasks) => write((context) => restoreTasks(context, tasks)),
  };
}

/** Counts the skills that an attempt used and learns from its task. The attempt is already recorded, so problems are only returned. */
export async function learnFromAttempt(
  project: Pick<MemoryAccess, "settings">,
  context: TaskContext,
  taskId: string,
  {
    isFatal = () => false,
  }: {
    /** Whether an error is thrown after all, because all of it can be repeated later. */
    isFatal?: (error: unknown) => boolean;
  } = {},
): Promise<string[]> {
  const promotion = (await project.settings())["learnings.promotion"];
  const isReviewed = promotion === "review";
  const problemsOf = async (what: string, work: () => Promise<unknown>): Promise<string[]> => {
    try {
      await work();
      return [];
    } catch (error) {
      if (isFatal(error)) throw error;
      return [`${what}: ${messageOf(error)}`];
    }
  };
  const problems = await Promise.all([
    problemsOf("skill uses were not counted", () => countSkillUses(context, taskId)),
    ...(promotion === "off"
      ? []
      : [problemsOf("nothing was learned", () => closeTask(context, taskId, { isReviewed }))]),
  ]);
  return problems.flat();
}

/** Types that rest on a few tasks; estimates and conventions summarise hundreds. */
const citing: readonly LearningType[] = ["strategy", "antipattern", "pattern", "fact"];

/** Tasks that other records refer to; they are not archived. */
async function listReferenced(tx: Repositories): Promise<ReadonlySet<string>> {
  const linked = [...(await tx.links.listTargets())].map((id) => id.split("/")[0] ?? id);
  return new Set([...(await tx.tasks.listRelated()), ...(await tx.learnings.listSources(citing)), ...linked]);
}
