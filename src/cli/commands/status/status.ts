import { renderDuration } from "../../../domain/duration.js";
import { reportUsage } from "../../../domain/tasks/run.js";
import type { Memory } from "../../../memory/memory.js";
import { runsOf } from "../../../memory/runs/make-run-verbs.js";
import { listed } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";

export const statusCommand = defineCommand({
  summary: "show active runs",
  description:
    "Shows this project's runs that have not ended, and what is really running of them. A run whose process is gone, or that\n" +
    'has given no sign of life for a minute (lease lapsed), can be continued with "ralph resume" and closed with "ralph stop".',
  arguments: [],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph status", "ralph status --json"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory({ isForgiving: true });
    const runs = runsOf(memory);
    const found = [];
    for (const run of await runs.list()) {
      const { description, current_attempt: attempt } = await memory.tasks.history(run.task_id);
      const { state, left } = await runs.look(run);
      found.push({
        task_id: run.task_id,
        state,
        agent: run.options.agent,
        attempt,
        iterations: run.iterations,
        elapsed_seconds: Math.round((Date.now() - Date.parse(run.started)) / 1000),
        process: run.runner.pid,
        host: run.runner.host,
        ...(run.lease_until !== undefined && { lease_until: run.lease_until }),
        ...(left.length > 0 && { left_processes: left }),
        usage: reportUsage(run.usage),
        objective: description,
      });
    }
    if (format === "json") terminal.out(renderJson(found));
    else if (found.length === 0) terminal.talk(`No active runs${await resumeHint(memory)}\n`);
    else {
      const rows = found.map((each) => [
        each.task_id,
        each.left_processes ? `${each.state}, agent running` : each.state,
        each.agent,
        `${each.attempt}`,
        `${each.iterations}`,
        renderDuration(each.elapsed_seconds * 1000),
        `${each.process}`,
        each.objective,
      ]);
      const headings = ["TASK", "STATE", "AGENT", "ATTEMPT", "ITERATIONS", "ELAPSED", "PROCESS", "OBJECTIVE"];
      terminal.out(renderTable(headings, rows, terminal));
      for (const { task_id: id, state, host, left_processes: left } of found) {
        if (left !== undefined) {
          const what = listed(left, "process", "processes");
          const next = left.length === 1 ? "runs; end it" : "run; end them";
          terminal.talk(`${id} was killed, but ${what} of its agent still ${next} with: ralph stop ${id}\n`);
        }
        if (state === "running elsewhere") terminal.talk(`${id} runs on ${host}\n`);
        else if (state !== "running") terminal.talk(`Continue with: ralph resume ${id}\n`);
      }
    }
    return 0;
  },
});

/** Suggests to resume the last run if it did not succeed and its task is still open. */
async function resumeHint(memory: Memory): Promise<string> {
  const last = await runsOf(memory).findLast();
  if (last?.end === undefined || last.end.kind === "completed") return "";
  const { id, status } = await memory.tasks.history(last.task_id);
  return status === "completed" ? "" : `; ${id} ended ${last.end.kind}: ralph resume ${id}`;
}
