import { lazyModule } from "../../domain/lazy-module.js";
import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import type { TaskVector } from "../../domain/tasks/task-memory.js";
import type { AttemptResult } from "../../episodic/attempts/attempt-result.js";
import type { CompletedAttempt } from "../../episodic/attempts/complete-attempt.js";
import type { LogEntry } from "../../episodic/attempts/read-log-entry.js";
import type { OpenProject } from "../project/open-project.js";
import { type TaskContext, taskAccess } from "../project/task-context.js";
import type { Recall, RecallInput } from "../recall/recall-input.js";
import { refuseDuringRun } from "../runs/live-runs.js";
import { taskNotFound } from "../task-not-found.js";
import type { TaskVerbs } from "./task-verbs.js";

const outbox = lazyModule(() => import("../outbox/or-later.js"));
const init = lazyModule(() => import("../../episodic/tasks/init-task.js"));
const starting = lazyModule(() => import("./brief/start-with-brief.js"));
const logging = lazyModule(() => import("../../episodic/attempts/log-entries.js"));
const reading = lazyModule(() => import("../../episodic/attempts/read-log-entry.js"));
const ending = lazyModule(() => import("../../episodic/attempts/end-iteration.js"));
const completing = lazyModule(() => import("../../episodic/attempts/complete-attempt.js"));
const reflecting = lazyModule(() => import("../../episodic/reflections/reflect-by-hand.js"));
const rating = lazyModule(() => import("../../episodic/reflections/rate-by-hand.js"));
const pausing = lazyModule(() => import("../../episodic/tasks/pause-task.js"));
const histories = lazyModule(() => import("../../episodic/history/query-history.js"));
const searching = lazyModule(() => import("../../episodic/tasks/search-tasks.js"));
const replaying = lazyModule(() => import("../../episodic/history/replay-attempt.js"));
const similar = lazyModule(() => import("../recall/similar/find-similar-tasks.js"));
const memories = lazyModule(() => import("../../recall/similar/similar-task.js"));
const briefs = lazyModule(() => import("./brief/before-task.js"));
const archiving = lazyModule(() => import("../../episodic/history/archive-history.js"));
const references = lazyModule(() => import("./list-referenced.js"));
const restoring = lazyModule(() => import("../../episodic/history/restore-tasks.js"));
const after = lazyModule(() => import("./after-attempt.js"));

/** Recalls for an objective without recording it. */
export type LookUp = (input: RecallInput) => Promise<Recall>;

export function makeTaskVerbs(session: OpenProject, lookUp: LookUp): TaskVerbs {
  const { read, write } = taskAccess(session);

  const readTask = <Result>(id: string, work: (context: TaskContext) => Promise<Result>) =>
    read(work, () => {
      throw taskNotFound(id);
    });

  const complete = async (id: string, result: AttemptResult): Promise<CompletedAttempt> => {
    const completed = await write((context) =>
      completing.completeAttempt(context, id, result, async (store) => {
        if (result.runId === undefined) await refuseDuringRun({ ...context, store }, id);
      }),
    );
    session.reportLeftOut("reflector");
    const problems = await outbox.learnOrLater(session, id, () =>
      write((context) => after.afterAttempt(session, context, id, { isFatal: isStoreAway })),
    );
    if (problems.length === 0) return completed;
    return { ...completed, degraded: [...(completed.degraded ?? []), ...problems] };
  };

  return {
    init: (task) => write((context) => init.initTask(context, task)),
    async start(id, { hasBrief = true, ...input } = {}) {
      const recalled = hasBrief ? await lookUp({ taskId: id, hasReflections: false }) : undefined;
      return write((context) => starting.startWithBrief(context, id, input, recalled));
    },
    async log(id, raw, { dryRun = false } = {}) {
      const now = session.clock().toISOString();
      const entries: LogEntry[] = [];
      for (const [index, entry] of raw.entries()) {
        try {
          entries.push(await reading.readLogEntry(entry, now));
        } catch (error) {
          if (!dryRun || !(error instanceof RalphError)) throw error;
          return { logged: 0, duplicates: 0, malformed: { index, message: error.message } };
        }
      }
      if (dryRun) return { logged: 0, duplicates: 0 };
      return outbox.logOrLater(session, { verb: "log", taskId: id, entries }, (keyed) =>
        write((context) => logging.logEntries(context, id, keyed)),
      );
    },
    endIteration: (id, end) => write((context) => ending.endIteration(context, id, end)),
    complete,
    async completeOrLater(id, result) {
      const { orLater } = await import("../outbox/or-later.js");
      return orLater(session, { verb: "complete", taskId: id, result }, () => complete(id, result));
    },
    reflect: (id, input) => write((context) => reflecting.reflectByHand(context, id, input)),
    rate: (id, effectiveness, which = {}) =>
      write((context) => rating.rateByHand(context, id, effectiveness, which)),
    pause: (id) =>
      write(async (context) => {
        await refuseDuringRun(context, id);
        return pausing.pauseTask(context, id);
      }),
    continue: (id) => write((context) => pausing.continueTask(context, id)),
    list: ({ limit, offset, ...filter } = {}) =>
      read(
        (context) => histories.listTasks(context, filter, limit, offset),
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
    history: (id, options = {}) => readTask(id, (context) => histories.queryHistory(context, id, options)),
    search: (search) =>
      read(
        async (context) => searching.searchTasks(context, search, await session.recordFinder(context.store)),
        () => [],
      ),
    replay: (id, options = {}) => readTask(id, (context) => replaying.replayAttempt(context, id, options)),
    async similar(search) {
      const settings = await session.settings();
      if (!settings["cross_task_learning.enabled"]) return [];
      return session.read(
        async ({ store }) => {
          const vectors = (await session.configuredVectorSearch())?.taskVectors(store);
          return similar.similarTasks(store, search, { settings, now: session.clock(), vectors });
        },
        () => [],
      );
    },
    before: async (objective) => briefs.toBeforeTask(await lookUp({ objective })),
    memory: (id, { isWindowOnly = false } = {}) =>
      readTask(id, ({ store, window }) => memories.taskMemory(store, id, isWindowOnly ? window : undefined)),
    async vector(id) {
      const vectors = await session.configuredVectorSearch();
      return session.read<TaskVector | undefined>(
        async ({ store }) => vectors?.findTaskVector(store, id),
        () => undefined,
      );
    },
    archive: ({ dryRun } = {}) =>
      write((context) =>
        archiving.archiveHistory(context, { dryRun, listReferenced: references.listReferenced }),
      ),
    restore: (tasks) => write((context) => restoring.restoreTasks(context, tasks)),
  };
}
