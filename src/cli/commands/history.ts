import { isCalendarDate } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import { type TaskStatus, taskStatuses } from "../../domain/task.js";
import { defineCommand } from "../command.js";
import { renderAttempt, renderReflection, renderTaskHistory } from "../output/history.js";
import { renderJson } from "../output/json.js";
import { renderTable } from "../output/table.js";

export const historyCommand = defineCommand({
  summary: "show recorded tasks, or one task as a timeline",
  arguments: [{ name: "task", summary: "its id, such as task-001", isOptional: true }],
  options: {
    attempt: { kind: "number", placeholder: "N", summary: "only this attempt of the task" },
    reflections: { kind: "flag", summary: "only the reflections of the task" },
    status: {
      kind: "list",
      placeholder: "STATUS",
      summary: "only tasks with one of these",
      values: taskStatuses,
    },
    tag: { kind: "list", placeholder: "TAG", summary: "only tasks with one of these tags" },
    agent: { kind: "text", placeholder: "NAME", summary: "only tasks of this agent" },
    since: {
      kind: "text",
      placeholder: "DATE",
      summary: "only tasks changed on or after this day (YYYY-MM-DD)",
    },
    last: { kind: "number", placeholder: "N", summary: "only the newest N tasks" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph history",
    "ralph history --status failed --tag auth",
    "ralph history task-001 --reflections",
    "ralph history task-001 --attempt 2 --json",
  ],
  async run({ arguments: [id], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    if (id === undefined) {
      const tasks = await memory.listTasks(
        {
          ...(options.status && { statuses: options.status as TaskStatus[] }),
          ...(options.tag && { tags: options.tag }),
          ...(options.agent && { agent: options.agent }),
          ...(options.since && { since: checkDay(options.since) }),
        },
        options.last,
      );
      const rows = tasks.map((task) => [
        task.id,
        task.status,
        String(task.total_attempts),
        task.updated.slice(0, 16),
        task.description,
      ]);
      if (format === "json") terminal.out(renderJson(tasks));
      else if (rows.length === 0) terminal.talk("No tasks to show\n");
      else terminal.out(renderTable(["ID", "STATUS", "ATTEMPTS", "UPDATED", "DESCRIPTION"], rows, terminal));
      return 0;
    }
    const history = await memory.queryHistory(id);
    if (options.reflections) {
      terminal.out(
        format === "json"
          ? renderJson(history.reflections)
          : history.reflections.map(renderReflection).join("\n"),
      );
      return 0;
    }
    if (options.attempt === undefined) {
      terminal.out(format === "json" ? renderJson(history) : renderTaskHistory(history));
      return 0;
    }
    const attempt = history.attempts.find((candidate) => candidate.id === options.attempt);
    if (attempt === undefined) {
      const hint = history.total_attempts === 0 ? "it has none yet" : `it has ${history.total_attempts}`;
      throw new RalphError("not-found", `${history.id} has no attempt ${options.attempt}`, { hint });
    }
    terminal.out(
      format === "json" ? renderJson(attempt) : `${renderAttempt(attempt, history.reflections).join("\n")}\n`,
    );
    return 0;
  },
});

function checkDay(day: string): string {
  if (isCalendarDate(day)) return day;
  throw new RalphError("wrong-use", `--since takes a day such as 2026-01-31, not ${JSON.stringify(day)}`);
}
