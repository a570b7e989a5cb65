import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Run } from "../../domain/tasks/run.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { Repositories } from "../../store/store.js";

const runners = lazyModule(() => import("../../processes/runner.js"));

/** One process runs a task at a time. */
export function alreadyRunning({ task_id: id, runner: { pid, host } }: Run): RalphError {
  return new RalphError("wrong-use", `${id} is being run by process ${pid} on ${host}`, {
    hint: `ralph stop ${id}`,
  });
}

/** During a run only the run itself may end its attempt, not the agent. */
export async function refuseDuringRun({ store }: { store: Repositories }, taskId: string): Promise<void> {
  const number = numberOfTaskId(taskId);
  if (number === undefined) return;
  const other = await findLiveRun(await store.runs.listForTask(number));
  if (other !== undefined && other.runner.pid !== process.pid) throw alreadyRunning(other);
}

/** The run whose process is still alive; there is at most one per task. */
export async function findLiveRun(runs: readonly Run[]): Promise<Run | undefined> {
  for (const run of runs) if (run.ended === undefined && !(await runners.isGone(run.runner))) return run;
  return undefined;
}
