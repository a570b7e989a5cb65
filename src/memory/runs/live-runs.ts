import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Run } from "../../domain/tasks/run.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { Repositories } from "../../store/store.js";

const runners = lazyModule(() => import("../../processes/runner.js"));
const holders = lazyModule(() => import("../../episodic/attempts/holders.js"));

/** One process runs a task at a time. */
export async function alreadyRunning({ task_id: id, runner, lease_until: until }: Run): Promise<RalphError> {
  const who = `${id} is being run by process ${runner.pid} on ${runner.host}`;
  if ((await runners.stateOf(runner)) === "running")
    return new RalphError("wrong-use", who, { hint: `ralph stop ${id}` });
  const since = until === undefined ? "" : `, which holds it until ${until}`;
  return new RalphError("wrong-use", `${who}${since}`, {
    hint: `wait for that, or take it over now with "ralph stop --force ${id}" or "ralph resume --force ${id}"`,
  });
}

/** Two agents in one working tree would undo each other's work. */
export async function refuseSecondRun(
  repositories: Repositories,
  folder: string,
  now: Date,
  besides?: string,
): Promise<void> {
  const here = (await repositories.runs.listUnfinished()).filter(
    ({ options, task_id: id }) => options.folder === folder && id !== besides,
  );
  const other = await findHeldRun(repositories, here, now);
  if (other === undefined) return;
  const { task_id: id, runner } = other;
  throw new RalphError(
    "wrong-use",
    `${id} is being run in this working tree, by process ${runner.pid} on ${runner.host}`,
    {
      hint: `wait for it or stop it with "ralph stop ${id}"; "ralph run --worktree" works in a worktree of its own; --force runs both here`,
    },
  );
}

/** During a run only the run itself may end its attempt, not the agent. */
export async function refuseDuringRun(
  { store, clock }: { store: Repositories; clock: () => Date },
  taskId: string,
): Promise<void> {
  const number = numberOfTaskId(taskId);
  if (number === undefined) return;
  const other = await findHeldRun(store, await store.runs.listForTask(number), clock());
  if (other !== undefined && !(await runners.isThisProcess(other.runner))) throw await alreadyRunning(other);
}

/** The first run that holds its task; there is at most one per task. */
export async function findHeldRun(
  repositories: Repositories,
  runs: readonly Run[],
  now: Date,
): Promise<Run | undefined> {
  for (const run of runs)
    if (run.ended === undefined && (await holders.isRunHeld(repositories, run, now))) return run;
  return undefined;
}
