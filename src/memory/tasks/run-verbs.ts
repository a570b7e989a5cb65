import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import type { Run, RunEnd, RunOptions, RunUsage } from "../../domain/tasks/run.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";

/** An attempt that broke off and is taken up again. */
export interface AdoptedAttempt {
  attempt_id: number;
  /** The last iteration that was recorded. */
  iterations: number;
}

/** What is recorded of runs of the loop. */
export interface RunVerbs {
  /** Records that a run begins, and gives its id. */
  beginRun(taskId: string, options: RunOptions, runner: Runner): Promise<number>;
  /** Records which process the agent is; nothing when it has ended. */
  noteAgent(runId: number, agent: Runner | undefined): Promise<void>;
  noteProgress(runId: number, iterations: number, usage: RunUsage): Promise<void>;
  endRun(runId: number, end: RunEnd): Promise<void>;
  /** Newest first; of one task, or those of all tasks that have not ended. */
  listRuns(taskId?: string): Promise<Run[]>;
  findLastRun(): Promise<Run | undefined>;
  /** Takes over the attempt under way from a process that is gone; nothing when none is under way. */
  adoptAttempt(taskId: string, runner: Runner): Promise<AdoptedAttempt | undefined>;
  /** The learnings that a task is a source of. */
  learnedFrom(taskId: string): Promise<Learning[]>;
}

/** How the verbs reach the store. */
export interface RunAccess {
  recording<Result>(work: (context: EpisodicContext) => Promise<Result>): Promise<Result>;
  reading<Result>(
    work: (context: EpisodicContext) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result>;
}

/** One process runs a task at a time. */
export function isBeingRun({ task_id: id, runner: { pid, host } }: Run): RalphError {
  return new RalphError("wrong-use", `${id} is being run by process ${pid} on ${host}`, {
    hint: `ralph stop ${id}`,
  });
}

/** While a run goes on, only the run itself says how its attempt ended: the agent's word is not enough. */
export async function refuseDuringRun({ store }: EpisodicContext, taskId: string): Promise<void> {
  const number = numberOfTaskId(taskId);
  if (number === undefined) return;
  const other = await findLive(await store.runs.listOfTask(number));
  if (other !== undefined && other.runner.pid !== process.pid) throw isBeingRun(other);
}

/** Of the runs of a task, the one whose process is still at work: never more than one is. */
async function findLive(runs: readonly Run[]): Promise<Run | undefined> {
  const { isGone } = await import("../../processes/runner.js");
  return runs.find(({ ended, runner }) => ended === undefined && !isGone(runner));
}

export function makeRunVerbs({ recording, reading }: RunAccess): RunVerbs {
  const tasks = () => import("../../episodic/tasks/get-task.js");
  return {
    beginRun: (taskId, options, runner) =>
      recording(async ({ store, clock }) => {
        const { number } = await (await tasks()).getTask(store, taskId);
        const started = clock().toISOString();
        return store.transaction(async (tx) => {
          const other = await findLive(await tx.runs.listOfTask(number));
          if (other !== undefined) throw isBeingRun(other);
          return tx.runs.add({ taskNumber: number, options, runner, started });
        });
      }),
    noteAgent: (id, agent) =>
      recording(async ({ store }) => {
        await store.runs.saveAgent(id, agent);
      }),
    noteProgress: (id, iterations, usage) =>
      recording(async ({ store }) => {
        await store.runs.saveProgress(id, iterations, usage);
      }),
    endRun: (id, end) =>
      recording(async ({ store, clock }) => {
        await store.runs.end(id, end, clock().toISOString());
      }),
    listRuns: (taskId) =>
      reading(
        async ({ store }) =>
          taskId === undefined
            ? store.runs.listUnderWay()
            : store.runs.listOfTask((await (await tasks()).getTask(store, taskId)).number),
        () => [],
      ),
    findLastRun: () =>
      reading(
        ({ store }) => store.runs.findLast(),
        () => undefined,
      ),
    adoptAttempt: (taskId, runner) =>
      recording(async (context) =>
        (await import("../../episodic/attempts/adopt-attempt.js")).adoptAttempt(context, taskId, runner),
      ),
    learnedFrom: (taskId) =>
      reading(
        async ({ store }) => (await store.learnings.listBySource(taskId)).map(({ learning }) => learning),
        () => [],
      ),
  };
}
