import { lazyModule } from "../../domain/lazy-module.js";
import { leaseUntil, type RunOptions } from "../../domain/tasks/run.js";
import { uuidStartOf } from "../../domain/tasks/task.js";
import type { LogEntry } from "../../episodic/attempts/read-log-entry.js";
import type { Repositories } from "../../store/store.js";
import type { PlacedTask } from "../away/memory-of-task.js";
import { embedPending } from "../embed-pending.js";
import type { Memory } from "../memory.js";
import { taskAccess } from "../project/task-context.js";
import { projectOf } from "../project-of.js";
import { alreadyRunning, findHeldRun, refuseSecondRun } from "./live-runs.js";
import { listPausedRuns } from "./paused-runs.js";
import type { NewAction, RunVerbs } from "./run-verbs.js";

const outbox = lazyModule(() => import("../outbox/or-later.js"));
const tasks = lazyModule(() => import("../../episodic/tasks/get-task.js"));
const pausing = lazyModule(() => import("../../episodic/tasks/pause-task.js"));
const adopting = lazyModule(() => import("../../episodic/attempts/adopt-attempt.js"));
const logging = lazyModule(() => import("../../episodic/attempts/log-entries.js"));
const turns = lazyModule(() => import("../../episodic/attempts/end-turn.js"));
const holding = lazyModule(() => import("../../episodic/attempts/holders.js"));
const looking = lazyModule(() => import("./ending/look-at-run.js"));
const progress = lazyModule(() => import("./run-progress.js"));
const ending = lazyModule(() => import("./ending/end-run.js"));
const storing = lazyModule(() => import("../../episodic/attempts/storable-action.js"));
const secrets = lazyModule(() => import("../../text/secrets/redact.js"));
const windows = lazyModule(() => import("../../episodic/window/window.js"));
const options = lazyModule(() => import("../project/episodic-options.js"));

/** The loop's records in an open memory. */
export function runsOf(memory: Memory): RunVerbs {
  const session = projectOf(memory);
  const { read, write } = taskAccess(session);
  const record = (id: number, work: (tx: Repositories) => Promise<unknown>): Promise<void> =>
    write(({ store, clock }) =>
      store.transaction(async (tx) => {
        await holding.holdRun(tx, id, clock());
        await work(tx);
      }),
    );
  return {
    redacting: session.redacting,
    begin: (taskId, runOptions, runner, { force = false } = {}) =>
      write(async ({ store, clock }) => {
        const { number } = await tasks.getTask(store, taskId);
        const now = clock();
        const options = await withoutSecrets(runOptions);
        const madeBy = await session.actor();
        return store.transaction(async (tx) => {
          const unfinished = (await tx.runs.listForTask(number)).filter(({ ended }) => ended === undefined);
          const other = await findHeldRun(tx, unfinished, now);
          if (other !== undefined && !force) throw await alreadyRunning(other);
          if (options.folder !== undefined && !force) await refuseSecondRun(tx, options.folder, now, taskId);
          const name = madeBy === undefined ? "" : ` (${madeBy})`;
          const evidence = `taken over by process ${runner.pid} on ${runner.host}${name}`;
          for (const { id } of unfinished)
            await tx.runs.end(id, { kind: "interrupted", evidence }, now.toISOString());
          return tx.runs.add({
            taskNumber: number,
            options,
            runner,
            started: now.toISOString(),
            leaseUntil: leaseUntil(now),
            madeBy,
          });
        });
      }),
    renew: (id) =>
      session.write(async ({ store, clock }) => {
        const { runs } = store.withoutWaiting();
        if (await runs.renew(id, leaseUntil(clock()))) return true;
        // A database that was replaced does not know it: nobody has taken over.
        return (await runs.find(id))?.ended === undefined;
      }),
    saveAgent: (id, agent) => record(id, (tx) => tx.runs.saveAgent(id, agent)),
    saveProgress: (id, iterations, usage) => record(id, (tx) => tx.runs.saveProgress(id, iterations, usage)),
    end: (id, end) =>
      write(async ({ store, clock }) => {
        await store.runs.end(id, end, clock().toISOString());
      }),
    look: (run) =>
      read(
        ({ store, clock }) => looking.lookAtRun(store, run, clock()),
        () => ({ state: "process gone", isHeld: false, left: [] }),
      ),
    progress: (run) => session.readOrEmpty(({ store }) => progress.progressOf(store, run)),
    close: (run, evidence) => write((context) => ending.closeRun(context, run, evidence)),
    giveUp: (taskId) =>
      write(async (context) => {
        await pausing.giveUpTask(context, taskId);
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
    listPaused: () =>
      read(
        ({ store, clock }) => listPausedRuns(store, clock()),
        () => [],
      ),
    checkFolder: (folder) =>
      read(
        ({ store, clock }) => refuseSecondRun(store, folder, clock()),
        () => undefined,
      ),
    adoptAttempt: (taskId, runner, runId) =>
      write((context) => adopting.adoptAttempt(context, taskId, runner, runId)),
    logActions: (taskId, actions, runId) =>
      session.redacting(async () => {
        const place = await findElsewhere(memory, taskId);
        if (place !== undefined) return runsOf(place.memory).logActions(place.taskId, actions, runId);
        const entries = await Promise.all(actions.map(toEntry));
        return outbox.logOrLater(session, { verb: "log", taskId, entries, runId }, (keyed) =>
          write((context) => logging.logEntries(context, taskId, keyed, runId)),
        );
      }),
    async endTurn(taskId, turn) {
      const place = await findElsewhere(memory, taskId);
      if (place !== undefined) return runsOf(place.memory).endTurn(place.taskId, turn);
      await outbox.orLater(session, { verb: "end-turn", taskId, turn }, () =>
        write((context) => turns.endTurn(context, taskId, turn)),
      );
    },
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

/** Most tasks are where the memory is: then nothing is loaded. */
async function findElsewhere(memory: Memory, taskId: string): Promise<PlacedTask | undefined> {
  if (uuidStartOf(taskId) === undefined) return undefined;
  return (await import("../away/memory-of-task.js")).elsewhere(memory, taskId);
}

async function toEntry({ idempotencyKey: key, ...action }: NewAction): Promise<LogEntry> {
  return {
    kind: "action",
    action: await storing.storableAction(action),
    idempotencyKey: key === undefined ? undefined : (await secrets.redact(key)).text,
  };
}

/** A check that holds a secret is not stored with it; such a run cannot be resumed. */
async function withoutSecrets(options: RunOptions): Promise<RunOptions> {
  const redacted = async (text: string) => (await secrets.redact(text)).text;
  return {
    ...options,
    verify: await Promise.all(options.verify.map(redacted)),
    promise: await redacted(options.promise),
  };
}
