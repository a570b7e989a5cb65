import type { StoppedRun } from "../../memory/runs/stop-runs.js";
import { stopRuns } from "../../memory/runs/stop-runs.js";
import { memoriesAtHand, memoryOfTask } from "../../memory/team/task-place.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import { flag } from "../framework/options.js";
import { renderJson } from "../output/terminal/style.js";

export const stopCommand = defineCommand({
  summary: "stop active runs",
  description:
    'Stops the agent and records the state of the run; "ralph resume" continues from there. Of a run that was killed, it ends\n' +
    "what is left. --force also kills a run that does not stop, and takes the task from one on another host, which then stops\n" +
    "by itself. --discard gives a run up that was interrupted, or that it stops: its task counts as failed, and\n" +
    "neither status nor resume offers it any more; what it changed stays.",
  arguments: [{ name: "task", summary: "task id [default: all runs of this project]", isOptional: true }],
  options: {
    force: flag("stop it even if it does not react or runs elsewhere"),
    discard: flag("give the run up for good"),
  },
  examples: [
    "ralph stop",
    "ralph stop task-007",
    "ralph stop --force task-007",
    "ralph stop task-007 --discard",
  ],
  async run({ arguments: [taskId], options: { force, discard }, format, terminal, openMemory }) {
    if (discard && taskId === undefined)
      throw wrongUse(
        "--discard needs a task",
        '"ralph status" lists those that are paused, such as for "ralph stop task-007 --discard"',
      );
    // An agent must not be able to prevent it by what it writes into the settings.
    const memory = await openMemory({ isForgiving: true });
    const places =
      taskId === undefined
        ? (await memoriesAtHand(memory)).map((each) => ({ memory: each, taskId }))
        : [await memoryOfTask(memory, taskId)];
    const stopped: StoppedRun[] = [];
    for (const { memory: place, taskId: id } of places)
      stopped.push(...(await stopRuns(place, { taskId: id, force, discard })));
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
  if (stopped.discarded) return `Gave up ${id}${also}: it counts as failed\n`;
  const killed = left.length === 0 ? "" : `, and ended what was left of it: ${left.join(", ")}`;
  const next = resumable
    ? `continue with: ralph resume ${id}`
    : 'its check holds a secret, which was not stored: start again with "ralph run"';
  return `Stopped ${id}${killed}${also}; ${next}\n`;
}
