import { lazyModule } from "../../../domain/lazy-module.js";
import type { StoppedRun } from "../../../memory/runs/ending/stop-runs.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

const stopping = lazyModule(() => import("../../../memory/runs/ending/stop-runs.js"));

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
    const stopped = await stopping.stopRuns(memory, { taskId, force });
    if (format === "json") terminal.out(renderJson(stopped));
    else if (stopped.length === 0) terminal.talk("No active runs\n");
    else for (const each of stopped) terminal.out(describe(each));
    return stopped.every(({ ended }) => ended) ? 0 : 1;
  },
});

function describe(stopped: StoppedRun): string {
  const { task_id: id, process: pid, ended, left_processes: left = [], message, resumable } = stopped;
  const also = message === undefined ? "" : ` (${message})`;
  if (!ended) return `${id} (process ${pid}) is still running${also}\n`;
  const killed = left.length === 0 ? "" : `, and ended what was left of it: ${left.join(", ")}`;
  const next = resumable
    ? `continue with: ralph resume ${id}`
    : 'its check holds a secret, which was not stored: start again with "ralph run"';
  return `Stopped ${id}${killed}${also}; ${next}\n`;
}
