import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { RalphError } from "../../../domain/ralph-error.js";
import { runsOf } from "../../../memory/runs/make-run-verbs.js";
import { isGone } from "../../../processes/runner.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

const maxWaitMs = 15_000;
const pollMs = 100;

export const stopCommand = defineCommand({
  summary: "stop active runs",
  description: 'Stops the agent and records the state of the run; "ralph resume" continues from there.',
  arguments: [{ name: "task", summary: "task id [default: all runs of this project]", isOptional: true }],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph stop", "ralph stop task-007"],
  async run({ arguments: [taskId], format, terminal, openMemory }) {
    const runs = runsOf(await openMemory());
    const running = (await runs.list()).filter(
      ({ runner, task_id: id }) => !isGone(runner) && (taskId === undefined || id === taskId),
    );
    if (running.length === 0 && taskId !== undefined)
      throw new RalphError("wrong-use", `${taskId} is not running here`, {
        hint: '"ralph status" lists active runs',
      });
    const stopped: { task_id: string; process: number; ended: boolean }[] = [];
    const elsewhere = running.find(({ runner }) => runner.host !== hostname());
    if (elsewhere !== undefined)
      throw new RalphError("wrong-use", `${elsewhere.task_id} runs on ${elsewhere.runner.host}`, {
        hint: `run "ralph stop ${elsewhere.task_id}" there`,
      });
    for (const { id, task_id, runner } of running) {
      process.kill(runner.pid, "SIGTERM");
      const end = Date.now() + maxWaitMs;
      const isRunning = async () => (await runs.list()).some((run) => run.id === id) && !isGone(runner);
      while ((await isRunning()) && Date.now() < end) await pause(pollMs);
      stopped.push({ task_id, process: runner.pid, ended: !(await isRunning()) });
    }
    if (format === "json") terminal.out(renderJson(stopped));
    else if (stopped.length === 0) terminal.talk("No active runs\n");
    for (const { task_id: id, process: pid, ended } of format === "json" ? [] : stopped)
      terminal.out(
        ended
          ? `Stopped ${id}; continue with: ralph resume ${id}\n`
          : `${id} (process ${pid}) is still running\n`,
      );
    return stopped.every(({ ended }) => ended) ? 0 : 1;
  },
});
