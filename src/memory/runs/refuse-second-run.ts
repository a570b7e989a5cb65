import { RalphError } from "../../domain/ralph-error.js";
import type { Run } from "../../domain/tasks/run.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import { isRunHeld } from "../../episodic/attempts/attempt-lease.js";
import { isOnThisMachine, isThisProcess, stateOf } from "../../processes/runner.js";
import type { Repositories } from "../../store/store.js";

/** One process runs a task at a time. */
export function alreadyRunning(run: Run): RalphError {
  const { task_id: id, runner, lease_until: until } = run;
  const who = `${id} is being run by ${holderOf(run)}`;
  if (stateOf(runner) === "running") return new RalphError("wrong-use", who, { hint: `ralph stop ${id}` });
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
  const here: Run[] = [];
  for (const run of await repositories.runs.listUnfinished())
    if (run.options.folder === folder && run.task_id !== besides && isOfThisTree(run)) here.push(run);
  const other = await findHeldRun(repositories, here, now);
  if (other === undefined) return;
  const { task_id: id } = other;
  throw new RalphError("wrong-use", `${id} is being run in this working tree, by ${holderOf(other)}`, {
    hint: `wait for it or stop it with "ralph stop ${id}"; "ralph run --worktree" works in a worktree of its own; --force runs both here`,
  });
}

/** In a team's store, a folder of the same name on another machine is another one. */
function isOfThisTree({ read_at: readAt, runner }: Run): boolean {
  return readAt === undefined || isOnThisMachine(runner);
}

function holderOf({ runner: { pid, host }, made_by: name }: Run): string {
  return `process ${pid} on ${host}${name === undefined ? "" : ` (${name})`}`;
}

/** During a run only the run itself may end its attempt, not the agent. */
export async function refuseDuringRun(
  { store, clock }: { store: Repositories; clock: () => Date },
  taskId: string,
): Promise<void> {
  const number = numberOfTaskId(taskId);
  if (number === undefined) return;
  const other = await findHeldRun(store, await store.runs.listForTask(number), clock());
  if (other !== undefined && !isThisProcess(other.runner)) throw alreadyRunning(other);
}

/** The first run that holds its task; there is at most one per task. */
export async function findHeldRun(
  repositories: Repositories,
  runs: readonly Run[],
  now: Date,
): Promise<Run | undefined> {
  for (const run of runs)
    if (run.ended === undefined && (await isRunHeld(repositories, run, now))) return run;
  return undefined;
}
