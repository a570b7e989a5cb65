import { RalphError } from "../../domain/ralph-error.js";
import { heartbeatMs, type Run } from "../../domain/tasks/run.js";
import type { Memory } from "../memory.js";
import { endProcessesOf, endRunner } from "./end-run.js";
import { hasSecretCheck } from "./paused-runs.js";
import { type RunVerbs, runsOf } from "./runs.js";

const maxWaitMs = 15_000;

export interface StoppedRun {
  task_id: string;
  process: number;
  ended: boolean;
  /** Processes that the run had left running. */
  left_processes?: number[];
  /** What the user should know. */
  message?: string;
  /** False if its check holds a secret, which was not stored. */
  resumable: boolean;
  /** Its task counts as failed. */
  discarded?: true;
}

/** Stops the unfinished run of a task, or those of all tasks; `discard` also gives up a task's paused run. */
export async function stopRuns(
  memory: Memory,
  { taskId, force, discard = false }: { taskId: string | undefined; force: boolean; discard?: boolean },
): Promise<StoppedRun[]> {
  const runs = runsOf(memory);
  const unfinished = (await runs.list()).filter(({ task_id: id }) => taskId === undefined || id === taskId);
  const paused =
    unfinished.length > 0 || taskId === undefined
      ? undefined
      : (await runs.listPaused()).find(({ task }) => task.id === taskId);
  if (unfinished.length === 0 && taskId !== undefined && !(discard && paused))
    throw notRunning(taskId, paused !== undefined);
  if (unfinished.length > 0 && (await memory.trust.hasForeignRecords()))
    throw new RalphError("not-trusted", "These runs were recorded by somebody else: no process is ended", {
      hint: "if they are yours, set RALPH_TRUST=1",
    });
  const { settings } = await memory.settings();
  const graceMs = settings["run.kill_grace_seconds"] * 1000;
  const stopped: StoppedRun[] = [];
  if (paused !== undefined) stopped.push({ ...whichOf(paused.run), ended: true });
  for (const run of unfinished) stopped.push(await stopRun(runs, run, { force, graceMs }));
  if (discard)
    for (const each of stopped.filter(({ ended }) => ended)) {
      await runs.giveUp(each.task_id);
      each.discarded = true;
    }
  return stopped;
}

function notRunning(taskId: string, isPaused: boolean): RalphError {
  return isPaused
    ? new RalphError("wrong-use", `${taskId} is paused, not running`, {
        hint: `"ralph resume ${taskId}" goes on with it, "ralph stop ${taskId} --discard" gives it up`,
      })
    : new RalphError("wrong-use", `${taskId} is not running here`, {
        hint: '"ralph status" lists active runs',
      });
}

function whichOf(run: Run): Pick<StoppedRun, "task_id" | "process" | "resumable"> {
  return { task_id: run.task_id, process: run.runner.pid, resumable: !hasSecretCheck(run) };
}

async function stopRun(
  runs: RunVerbs,
  run: Run,
  { force, graceMs }: { force: boolean; graceMs: number },
): Promise<StoppedRun> {
  const { task_id, runner } = run;
  const { state } = await runs.look(run);
  const base = whichOf(run);
  const isEnded = async () => !(await runs.list()).some(({ id }) => id === run.id);
  if (state === "running elsewhere" && !force) {
    const until = run.lease_until === undefined ? "" : `, and holds its task until ${run.lease_until}`;
    const message = `it runs on ${runner.host}${until}: stop it there, or use "ralph stop --force ${task_id}"`;
    return { ...base, ended: false, message };
  }
  if (state === "running" && !(await endRunner(runner, { waitMs: maxWaitMs, force, hasEnded: isEnded })))
    return { ...base, ended: false, message: `it does not react: "ralph stop --force ${task_id}" kills it` };
  if (await isEnded()) return { ...base, ended: true };
  // It could not record its own end.
  const { ended: left, problems, elsewhere } = await endProcessesOf(run, graceMs);
  const evidence = state === "process gone" ? `process ${runner.pid} is gone` : "ended by ralph stop";
  await runs.close(run, evidence);
  const notes = [
    ...problems.map((problem) => `something may still be running: ${problem}`),
    ...(state === "running elsewhere"
      ? [`process ${runner.pid} on ${runner.host} stops within ${heartbeatMs / 1000} s, if it still runs`]
      : elsewhere === undefined
        ? []
        : [`its agent, process ${elsewhere.pid} on ${elsewhere.host}, cannot be seen from here`]),
  ];
  return {
    ...base,
    ended: problems.length === 0,
    ...(left.length > 0 && { left_processes: left }),
    ...(notes.length > 0 && { message: notes.join("; ") }),
  };
}
