import { lazyModule } from "../../../domain/lazy-module.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { heartbeatMs } from "../../../domain/tasks/lease.js";
import type { Run } from "../../../domain/tasks/run.js";
import { memoriesAtHand } from "../../../memory/away/memory-of-task.js";
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
}

export const stopCommand = defineCommand({
  summary: "stop active runs",
  description:
    'Stops the agent and records the state of the run; "ralph resume" continues from there. Of a run that was killed, it ends\n' +
    "what is left. --force also kills a run that does not stop, and takes the task from one on another host, which then stops\n" +
    "by itself.",
  arguments: [{ name: "task", summary: "task id [default: all runs of this project]", isOptional: true }],
  options: { force: { kind: "flag", summary: "stop it even if it does not react or runs elsewhere" } },
  formats: ["table", "json"],
  examples: ["ralph stop", "ralph stop task-007", "ralph stop --force task-007"],
  async run({ arguments: [taskId], options: { force }, format, terminal, openMemory }) {
    // An agent must not be able to prevent it by what it writes into the settings.
    const memory = await openMemory({ isForgiving: true });
    const unfinished: { run: Run; runs: RunVerbs }[] = [];
    for (const runs of (await memoriesAtHand(memory)).map(runsOf))
      for (const run of await runs.list())
        if (taskId === undefined || run.task_id === taskId) unfinished.push({ run, runs });
    if (unfinished.length === 0 && taskId !== undefined)
      throw new RalphError("wrong-use", `${taskId} is not running here`, {
        hint: '"ralph status" lists active runs',
      });
    if (unfinished.length > 0 && (await memory.trust.hasForeignRecords()))
      throw new RalphError("not-trusted", "These runs were recorded by somebody else: no process is ended", {
        hint: "if they are yours, set RALPH_TRUST=1",
      });
    const { settings } = await memory.settings();
    const graceMs = settings["run.kill_grace_seconds"] * 1000;
    const stopped: Stopped[] = [];
    for (const { run, runs } of unfinished) stopped.push(await stopRun(runs, run, { force, graceMs }));
    if (format === "json") terminal.out(renderJson(stopped));
    else if (stopped.length === 0) terminal.talk("No active runs\n");
    else for (const each of stopped) terminal.out(describe(each));
    return stopped.every(({ ended }) => ended) ? 0 : 1;
  },
});

async function stopRun(
  runs: RunVerbs,
  run: Run,
  { force, graceMs }: { force: boolean; graceMs: number },
): Promise<Stopped> {
  const { task_id, runner } = run;
  const { state } = await runs.look(run);
  const base = { task_id, process: runner.pid, resumable: !(await hasSecretCheck(run)) };
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
  const killed = left.length === 0 ? "" : `, and ended what was left of it: ${left.join(", ")}`;
  const next = resumable
    ? `continue with: ralph resume ${id}`
    : 'its check holds a secret, which was not stored: start again with "ralph run"';
  return `Stopped ${id}${killed}${also}; ${next}\n`;
}
