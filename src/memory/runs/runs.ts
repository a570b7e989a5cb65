import type { Learning } from "../../domain/knowledge/learning.js";
import { subjectOf } from "../../domain/tasks/action.js";
import type { IterationResult, Runner } from "../../domain/tasks/attempt.js";
import { leaseUntil, type Run, type RunEnd, type RunOptions } from "../../domain/tasks/run.js";
import { uuidStartOf } from "../../domain/tasks/task.js";
import { holdRun } from "../../episodic/attempts/attempt-lease.js";
import { endTurn, type Turn } from "../../episodic/attempts/end-iteration.js";
import { adoptAttempt } from "../../episodic/attempts/interrupted-attempts.js";
import {
  type Logged,
  logEntries,
  type NewAction,
  toLogEntry,
} from "../../episodic/attempts/storable-action.js";
import { capacityOf } from "../../episodic/reflections/reflection-window.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { giveUpTask } from "../../episodic/tasks/init-task.js";
import type { Repositories } from "../../store/store.js";
import { redact } from "../../text/secrets/redact.js";
import { embedPending } from "../embed-pending.js";
import type { Memory } from "../memory.js";
import { windowOptions } from "../project/episodic-options.js";
import type { OpenProject } from "../project/open-project.js";
import { taskAccess } from "../project/task-context.js";
import { projectOf } from "../project-of.js";
import { logOrLater, orLater } from "../team/outbox.js";
import type { PlacedTask } from "../team/task-place.js";
import { closeRun, lookAtRun, type RunLook } from "./end-run.js";
import { listPausedRuns, type PausedRun } from "./paused-runs.js";
import { alreadyRunning, findHeldRun, refuseSecondRun } from "./refuse-second-run.js";

/** An interrupted attempt that is continued. */
export interface AdoptedAttempt {
  attemptId: number;
  /** The last recorded iteration. */
  iterations: number;
}

/** What the loop records in addition to `memory.tasks`. */
export interface RunVerbs {
  /** Redacts with the user's own patterns and exceptions in what `work` does. */
  redacting<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Records the start of a run and returns its id. Only one process may run a task at a time: unfinished runs that no longer
   * hold the task are ended, and with `force` one that does. Without `force`, a working tree is for one run at a time, too.
   */
  begin(
    taskId: string,
    options: RunOptions,
    runner: Runner,
    how?: { force?: boolean | undefined },
  ): Promise<number>;
  /** A sign of life. False if the task was taken over; does not wait while others write. */
  renew(runId: number): Promise<boolean>;
  /** Records the agent's process; undefined once it has ended. */
  saveAgent(runId: number, agent: Runner | undefined): Promise<void>;
  /** Does nothing if it has already been ended. */
  end(runId: number, end: RunEnd): Promise<void>;
  /** What is really running of an unfinished run. */
  look(run: Run): Promise<RunLook>;
  /** How far a run has come. */
  progress(run: Run): Promise<RunProgress>;
  /** Ends the run and its attempt, if the run cannot do so itself. */
  close(run: Run, evidence: string): Promise<void>;
  /** Ends a task that a run has left: it counts as failed, and its runs are paused no more. */
  giveUp(taskId: string): Promise<void>;
  /** Newest first: the runs of one task, or the unfinished runs of all tasks. */
  list(taskId?: string): Promise<Run[]>;
  findLast(): Promise<Run | undefined>;
  /** Newest first: the runs that were interrupted and that nobody has gone on with. */
  listPaused(): Promise<PausedRun[]>;
  /** Throws if another run works in this working tree. */
  checkFolder(folder: string): Promise<void>;
  /** Continues the open attempt that nobody holds any more; undefined if there is none. */
  adoptAttempt(taskId: string, runner: Runner, runId: number): Promise<AdoptedAttempt | undefined>;
  /** Adds the agent's actions to the attempt in progress, if the run still holds the task. */
  logActions(taskId: string, actions: readonly NewAction[], runId?: number): Promise<Logged>;
  /** Records what the agent said at the end of an iteration that nobody judges. */
  endTurn(taskId: string, turn: Turn): Promise<void>;
  /** The learnings that came from a task. */
  learnedFrom(taskId: string): Promise<Learning[]>;
  /** Throws if the settings do not allow this number or preset of reflections. */
  checkWindow(memory: number | string | undefined): Promise<void>;
  /** Embeds pending records; does nothing without an embedder, and only reports one that fails. */
  embedPending(): Promise<void>;
}

/** The loop's records in an open memory. */
export function runsOf(memory: Memory): RunVerbs {
  return runVerbs(projectOf(memory));
}

export function runVerbs(project: OpenProject): RunVerbs {
  const { read, write } = taskAccess(project);
  const record = (id: number, work: (tx: Repositories) => Promise<unknown>): Promise<void> =>
    write(({ store, clock }) =>
      store.transaction(async (tx) => {
        await holdRun(tx, id, clock());
        await work(tx);
      }),
    );
  return {
    redacting: project.redacting,
    begin: (taskId, runOptions, runner, { force = false } = {}) =>
      write(async ({ store, clock }) => {
        const { number } = await getTask(store, taskId);
        const now = clock();
        const options = withoutSecrets(runOptions);
        const madeBy = await project.actor();
        return store.transaction(async (tx) => {
          const unfinished = (await tx.runs.listForTask(number)).filter(({ ended }) => ended === undefined);
          const other = await findHeldRun(tx, unfinished, now);
          if (other !== undefined && !force) throw alreadyRunning(other);
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
      project.write(async ({ store, clock }) => {
        const { runs } = store.withoutWaiting();
        if (await runs.renew(id, leaseUntil(clock()))) return true;
        // A database that was replaced does not know it: nobody has taken over.
        return (await runs.find(id))?.ended === undefined;
      }),
    saveAgent: (id, agent) => record(id, (tx) => tx.runs.saveAgent(id, agent)),
    end: (id, end) =>
      write(async ({ store, clock }) => {
        await store.runs.end(id, end, clock().toISOString());
      }),
    look: (run) =>
      read(
        ({ store, clock }) => lookAtRun(store, run, clock()),
        () => ({ state: "process gone", isHeld: false, left: [] }),
      ),
    progress: (run) => project.readOrEmpty(({ store }) => progressOf(store, run)),
    close: (run, evidence) => write((context) => closeRun(context, run, evidence)),
    giveUp: (taskId) =>
      write(async (context) => {
        await giveUpTask(context, taskId);
      }),
    list: (taskId) =>
      read(
        async ({ store }) =>
          taskId === undefined
            ? store.runs.listUnfinished()
            : store.runs.listForTask((await getTask(store, taskId)).number),
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
    adoptAttempt: (taskId, runner, runId) => write((context) => adoptAttempt(context, taskId, runner, runId)),
    logActions: (taskId, actions, runId) =>
      project.redacting(async () => {
        const place = await findElsewhere(project, taskId);
        if (place !== undefined) return runVerbs(place.project).logActions(place.taskId, actions, runId);
        const entries = actions.map(toLogEntry);
        return logOrLater(project, { verb: "log", taskId, entries, runId }, (keyed) =>
          write((context) => logEntries(context, taskId, keyed, runId)),
        );
      }),
    async endTurn(taskId, turn) {
      const place = await findElsewhere(project, taskId);
      if (place !== undefined) return runVerbs(place.project).endTurn(place.taskId, turn);
      await orLater(project, { verb: "end-turn", taskId, turn }, () =>
        write((context) => endTurn(context, taskId, turn)),
      );
    },
    learnedFrom: (taskId) =>
      read(
        async ({ store }) => (await store.learnings.listBySource(taskId)).map(({ learning }) => learning),
        () => [],
      ),
    async checkWindow(wanted) {
      capacityOf(wanted, {}, windowOptions(await project.settings()));
    },
    embedPending: () => embedPending(project),
  };
}

async function findElsewhere(project: OpenProject, taskId: string): Promise<PlacedTask | undefined> {
  if (uuidStartOf(taskId) === undefined) return undefined;
  return (await import("../team/task-place.js")).elsewhere(project, taskId);
}

/** A check that holds a secret is not stored with it; such a run cannot be resumed. */
function withoutSecrets(options: RunOptions): RunOptions {
  const redacted = (text: string) => redact(text).text;
  return { ...options, verify: options.verify.map(redacted), promise: redacted(options.promise) };
}

/** How far a run has come: short, as it is asked for again and again. */
export interface RunProgress {
  objective: string;
  attempt: number;
  /** When the attempt began; undefined before the first one. */
  started?: string;
  /** Of this attempt, without their texts. */
  iterations: IterationResult[];
  /** Number of actions of this attempt. */
  actions: number;
  /** Newest first. */
  lastActions: { timestamp: string; iteration: number; tool: string; subject: string; success: boolean }[];
}

const shownActions = 8;
const maxSubject = 200;

async function progressOf(repositories: Repositories, { task_id: id }: Run): Promise<RunProgress> {
  const { number, description, current_attempt: current } = await getTask(repositories, id);
  const attempt = await repositories.attempts.find(number, current);
  if (attempt === undefined)
    return { objective: description, attempt: current, iterations: [], actions: 0, lastActions: [] };
  const [iterations, actions, newest] = await Promise.all([
    repositories.iterationResults.listVerdicts(attempt.key),
    repositories.actions.count(attempt.key),
    repositories.actions.listNewest(attempt.key, shownActions),
  ]);
  return {
    objective: description,
    attempt: current,
    started: attempt.started,
    iterations,
    actions,
    lastActions: newest.map(({ params, ...action }) => ({
      ...action,
      subject: subjectOf({ params }).slice(0, maxSubject),
    })),
  };
}
