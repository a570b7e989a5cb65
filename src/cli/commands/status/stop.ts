import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { RalphError } from "../../../domain/ralph-error.js";
import { runsOf } from "../../../memory/runs/make-run-verbs.js";
import { isGone } from "../../../processes/runner.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

const patienceMs = 15_000;
const lookEveryMs = 100;

export const stopCommand = defineCommand({
  summary: "end what runs here",
  description:
    "Asks the run to end its agent and to record where it stands; ralph resume goes on from there.",
  arguments: [{ name: "task", summary: "its id; all runs of this project by default", isOptional: true }],
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
        hint: "ralph status shows what is",
      });
    const stopped: { task_id: string; process: number; ended: boolean }[] = [];
    const elsewhere = running.find(({ runner }) => runner.host !== hostname());
    if (elsewhere !== undefined)
      throw new RalphError("wrong-use", `${elsewhere.task_id} runs on ${elsewhere.runner.host}`, {
        hint: `ralph stop ${elsewhere.task_id} there`,
      });
    for (const { id, task_id, runner } of running) {
      process.kill(runner.pid, "SIGTERM");
      const end = Date.now() + patienceMs;
      const isUnderWay = async () => (await runs.list()).some((run) => run.id === id) && !isGone(runner);
      while ((await isUnderWay()) && Date.now() < end) await pause(lookEveryMs);
      stopped.push({ task_id, process: runner.pid, ended: !(await isUnderWay()) });
    }
    if (format === "json") terminal.out(renderJson(stopped));
    else if (stopped.length === 0) terminal.talk("Nothing runs here\n");
    for (const { task_id: id, process: pid, ended } of format === "json" ? [] : stopped)
      terminal.out(
        ended
          ? `Stopped ${id}; go on with: ralph resume ${id}\n`
          : `${id} (process ${pid}) has not ended yet\n`,
      );
    return stopped.every(({ ended }) => ended) ? 0 : 1;
  },
});
