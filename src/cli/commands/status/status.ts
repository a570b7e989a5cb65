import { renderDuration } from "../../../domain/duration.js";
import { reportUsage } from "../../../domain/tasks/run.js";
import type { Memory } from "../../../memory/memory.js";
import { runsOf } from "../../../memory/runs/make-run-verbs.js";
import { isGone } from "../../../processes/runner.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";

export const statusCommand = defineCommand({
  summary: "show active runs",
  description:
    'Shows this project\'s runs that have not ended. Runs whose process is gone can be continued with "ralph resume".',
  arguments: [],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph status", "ralph status --json"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const found = [];
    for (const run of await runsOf(memory).list()) {
      const { description, current_attempt: attempt } = await memory.tasks.history(run.task_id);
      const elapsedSeconds = Math.round((Date.now() - Date.parse(run.started)) / 1000);
      found.push({
        task_id: run.task_id,
        state: isGone(run.runner) ? "process gone" : "running",
        agent: run.options.agent,
        attempt,
        iterations: run.iterations,
        elapsed_seconds: elapsedSeconds,
        process: run.runner.pid,
        usage: reportUsage(run.usage),
        objective: description,
      });
    }
    if (format === "json") terminal.out(renderJson(found));
    else if (found.length === 0) terminal.talk(`No active runs${await resumeHint(memory)}\n`);
    else {
      const rows = found.map((each) => [
        each.task_id,
        each.state,
        each.agent,
        `${each.attempt}`,
        `${each.iterations}`,
        renderDuration(each.elapsed_seconds * 1000),
        `${each.process}`,
        each.objective,
      ]);
      const headings = ["TASK", "STATE", "AGENT", "ATTEMPT", "ITERATIONS", "ELAPSED", "PROCESS", "OBJECTIVE"];
      terminal.out(renderTable(headings, rows, terminal));
      for (const { task_id: id } of found.filter(({ state }) => state === "process gone"))
        terminal.talk(`Continue with: ralph resume ${id}\n`);
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
