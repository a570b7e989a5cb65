import { lazyModule } from "../../../domain/lazy-module.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { heartbeatMs } from "../../../domain/tasks/lease.js";
import type { Run } from "../../../domain/tasks/run.js";
import { runsOf } from "../../../memory/runs/make-run-verbs.js";
import { hasSecretCheck } from "../../../memory/runs/paused-runs.js";
import type { RunVerbs } from "../../../memory/runs/run-verbs.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

const ending = lazyModule(() => import("../../../memory/runs/ending/end-run.js"));

const maxWaitMs = 15_000;

interface Stopped {
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

export const stopCommand = defineCommand({
  summary: "stop active runs",
  description:
    'Stops the agent and records the state of the run; "ralph resume" continues from there. Of a run that was killed, it ends\n' +
    "what is left. --force also kills a run that does not stop, and takes the task from one on another host, which then stops\n" +
    "by itself. --discard gives a run up that was interrupted, or that it stops: its task counts as failed, and\n" +
    "neither status nor resume offers it any more; what it changed stays.",
  arguments: [{ name: "task", summary: "task id [default: all runs of this project]", isOptional: true }],
  options: {
    force: { kind: "flag", summary: "stop it even if it does not react or runs elsewhere" },
    discard: { kind: "flag", summary: "give the run up: nobody will go on with it" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph stop",
    "ralph stop task-007",
    "ralph stop --force task-007",
    "ralph stop task-007 --discard",
  ],
  async run({ arguments: [taskId], options: { force, discard }, format, terminal, openMemory }) {
    if (discard && taskId === undefined)
      throw new RalphError("wrong-use", "--discard needs a task", {
        hint: '"ralph status" lists those that are paused, such as for "ralph stop task-007 --discard"',
      });
    // An agent must not be able to prevent it by what it writes into the settings.
    const memory = await openMemory({ isForgiving: true });
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
    const stopped: Stopped[] = [];
    if (paused !== undefined) stopped.push({ ...(await whichOf(paused.run)), ended: true });
    for (const run of unfinished) stopped.push(await stopRun(runs, run, { force, graceMs }));
    if (discard)
      for (const each of stopped.filter(({ ended }) => ended)) {
        await runs.giveUp(each.task_id);
        each.discarded = true;
      }
    if (format === "json") terminal.out(renderJson(stopped));
    else if (stopped.length === 0) terminal.talk("No active runs\n");
    else for (const each of stopped) terminal.out(describe(each));
    return stopped.every(({ ended }) => ended) ? 0 : 1;
  },
});

function notRunning(taskId: string, isPaused: boolean): RalphError {
  return isPaused
    ? new RalphError("wrong-use", `${taskId} is paused, not running`, {
        hint: `"ralph resume ${taskId}" goes on with it, "ralph stop ${taskId} --discard" gives it up`,
      })
    : new RalphError("wrong-use", `${taskId} is not running here`, {
        hint: '"ralph status" lists active runs',
      });
}

async function whichOf(run: Run): Promise<Pick<Stopped, "task_id" | "process" | "resumable">> {
  return { task_id: run.task_id, process: run.runner.pid, resumable: !(await hasSecretCheck(run)) };
}

async function stopRun(
  runs: RunVerbs,
  run: Run,
  { force, graceMs }: { force: boolean; graceMs: number },
): Promise<Stopped> {
  const { task_id, runner } = run;
  const { state } = await runs.look(run);
  const base = await whichOf(run);
  const isEnded = async () => !(await runs.list()).some(({ id }) => id === run.id);
  if (state === "running elsewhere" && !force) {
    const until = run.lease_until === undefined ? "" : `, and holds its task until ${run.lease_until}`;
    const message = `it runs on ${runner.host}${until}: stop it there, or use "ralph stop --force ${task_id}"`;
    return { ...base, ended: false, message };
  }
  if (
    state === "running" &&
    !(await ending.endRunner(runner, { waitMs: maxWaitMs, force, hasEnded: isEnded }))
  )
    return { ...base, ended: false, message: `it does not react: "ralph stop --force ${task_id}" kills it` };
  if (await isEnded()) return { ...base, ended: true };
  // It could not record its own end.
  const { ended: left, problems, elsewhere } = await ending.endProcessesOf(run, graceMs);
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

function describe(stopped: Stopped): string {
  const { task_id: id, process: pid, ended, left_processes: left = [], message, resumable } = stopped;
  const also = message === undefined ? "" : ` (${message})`;
  if (!ended) return `${id} (process ${pid}) is still running${also}\n`;
  if (stopped.discarded) return `Gave up ${id}${also}: it counts as failed\n`;
  const killed = left.length === 0 ? "" : `, and ended what was left of it: ${left.join(", ")}`;
  const next = resumable
    ? `continue with: ralph resume ${id}`
    : 'its check holds a secret, which was not stored: start again with "ralph run"';
  return `Stopped ${id}${killed}${also}; ${next}\n`;
}
