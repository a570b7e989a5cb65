import { lazyModule } from "../../domain/lazy-module.js";
import type { LogEntry } from "../../episodic/attempts/read-log-entry.js";
import { embedPending } from "../embed-pending.js";
import type { Memory } from "../memory.js";
import { sessionOf } from "../session-of.js";
import { taskSession } from "../task-session.js";
import { alreadyRunning, findLiveRun } from "./live-runs.js";
import type { NewAction, RunVerbs } from "./run-verbs.js";

const tasks = lazyModule(() => import("../../episodic/tasks/get-task.js"));
const adopting = lazyModule(() => import("../../episodic/attempts/adopt-attempt.js"));
const logging = lazyModule(() => import("../../episodic/attempts/log-entries.js"));
const storing = lazyModule(() => import("../../episodic/attempts/storable-action.js"));
const secrets = lazyModule(() => import("../../text/secrets/redact.js"));
const windows = lazyModule(() => import("../../episodic/window/window.js"));
const options = lazyModule(() => import("../episodic-options.js"));

/** The loop's records in an open memory. */
export function runsOf(memory: Memory): RunVerbs {
  const session = sessionOf(memory);
  const { read, write } = taskSession(session);
  return {
    begin: (taskId, runOptions, runner) =>
      write(async ({ store, clock }) => {
        const { number } = await tasks.getTask(store, taskId);
        const started = clock().toISOString();
        return store.transaction(async (tx) => {
          const other = await findLiveRun(await tx.runs.listForTask(number));
          if (other !== undefined) throw alreadyRunning(other);
          return tx.runs.add({ taskNumber: number, options: runOptions, runner, started });
        });
      }),
    saveAgent: (id, agent) =>
      write(async ({ store }) => {
        await store.runs.saveAgent(id, agent);
      }),
    saveProgress: (id, iterations, usage) =>
      write(async ({ store }) => {
        await store.runs.saveProgress(id, iterations, usage);
      }),
    end: (id, end) =>
      write(async ({ store, clock }) => {
        await store.runs.end(id, end, clock().toISOString());
      }),
    list: (taskId) =>
      read(
        async ({ store }) =>
          taskId === undefined
            ? store.runs.listUnfinished()
            : store.runs.listForTask((await tasks.getTask(store, taskId)).number),
        () => [],
      ),
    findLast: () =>
      read(
        ({ store }) => store.runs.findLast(),
        () => undefined,
      ),
    adoptAttempt: (taskId, runner) => write((context) => adopting.adoptAttempt(context, taskId, runner)),
    logActions: (taskId, actions) =>
      write(async (context) => logging.logEntries(context, taskId, await Promise.all(actions.map(toEntry)))),
    learnedFrom: (taskId) =>
      read(
        async ({ store }) => (await store.learnings.listBySource(taskId)).map(({ learning }) => learning),
        () => [],
      ),
    async checkWindow(wanted) {
      await windows.capacityOf(wanted, {}, await options.windowOptions(await session.settings()));
    },
    embedPending: () => embedPending(session),
  };
}

async function toEntry({ idempotencyKey: key, ...action }: NewAction): Promise<LogEntry> {
  return {
    kind: "action",
    action: await storing.storableAction(action),
    idempotencyKey: key === undefined ? undefined : (await secrets.redact(key)).text,
  };
}
