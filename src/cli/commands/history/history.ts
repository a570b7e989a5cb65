import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { isCalendarDate } from "../../../domain/clock.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { pickAttempt } from "../../../domain/tasks/pick-attempt.js";
import { type Task, type TaskStatus, taskStatuses } from "../../../domain/tasks/task.js";
import type { TaskHistory } from "../../../episodic/history/query-history.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderAttempt, renderReflection, renderTaskHistory } from "../../output/history.js";
import { renderHistoryMarkdown } from "../../output/history-markdown.js";
import { jsonText, renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";

export const historyCommand = defineCommand({
  summary: "show recorded tasks, or one task as a timeline",
  description: '"ralph history archive" summarises and archives old tasks; --archived shows them in full.',
  arguments: [{ name: "task", summary: "task id, such as task-001", isOptional: true }],
  options: {
    attempt: { kind: "number", placeholder: "N", summary: "only this attempt of the task" },
    reflections: { kind: "flag", summary: "only the task's reflections" },
    export: {
      kind: "text",
      placeholder: "FILE",
      summary: "write to a Markdown (.md) or JSON (.json) file",
    },
    force: { kind: "flag", summary: "with --export: overwrite an existing file" },
    status: {
      kind: "list",
      placeholder: "STATUS",
      summary: "only tasks with one of these statuses",
      values: taskStatuses,
    },
    tag: { kind: "list", placeholder: "TAG", summary: "only tasks with one of these tags" },
    agent: { kind: "text", placeholder: "NAME", summary: "only tasks by this agent" },
    since: {
      kind: "text",
      placeholder: "DATE",
      summary: "only tasks updated on or after this date (YYYY-MM-DD)",
    },
    until: { kind: "text", placeholder: "DATE", summary: "only tasks updated on or before this date" },
    last: { kind: "number", placeholder: "N", summary: "only the newest N tasks" },
    archived: { kind: "flag", summary: "include archived tasks, and show all actions in full" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph history",
    "ralph history --status failed --tag auth",
    "ralph history task-001 --reflections",
    "ralph history task-001 --attempt 2 --json",
    "ralph history task-001 --export task-001.md",
  ],
  async run({ arguments: [id], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const isFull = options.archived;
    if (id !== undefined) {
      const history = await memory.tasks.history(id, { isFull: isFull || options.export !== undefined });
      if (options.export !== undefined)
        await exportHistories([history], history, options.export, options.force, terminal);
      else if (format === "json" && !options.reflections && options.attempt === undefined)
        terminal.out(renderJson({ ...history, task_memory: await memory.tasks.memory(id) }));
      else showHistory(history, options, format === "json", terminal);
      return 0;
    }
    const tasks = await memory.tasks.list({
      ...(options.status && { statuses: options.status as TaskStatus[] }),
      ...(options.tag && { tags: options.tag }),
      ...(options.agent && { agent: options.agent }),
      ...(options.since && { since: checkDate("since", options.since) }),
      ...(options.until && { until: `${checkDate("until", options.until)}T23:59:59.999Z` }),
      includesArchived: isFull,
      limit: options.last,
    });
    if (options.export === undefined) {
      showTasks(tasks, format === "json", terminal);
      return 0;
    }
    const histories: TaskHistory[] = [];
    for (const task of tasks) histories.push(await memory.tasks.history(task.id, { isFull: true }));
    await exportHistories(histories, histories, options.export, options.force, terminal);
    return 0;
  },
});

function showTasks(tasks: readonly Task[], isJson: boolean, terminal: Terminal): void {
  const rows = tasks.map((task) => [
    task.id,
    task.archived ? `${task.status}, archived` : task.status,
    String(task.total_attempts),
    task.updated.slice(0, 16),
    task.description,
  ]);
  if (isJson) terminal.out(renderJson(tasks));
  else if (rows.length === 0) terminal.talk("No tasks to show\n");
  else terminal.out(renderTable(["ID", "STATUS", "ATTEMPTS", "UPDATED", "DESCRIPTION"], rows, terminal));
}

function showHistory(
  history: TaskHistory,
  { reflections, attempt: number }: { reflections: boolean; attempt: number | undefined },
  isJson: boolean,
  terminal: Terminal,
): void {
  if (reflections) {
    const shown = history.reflections.filter((each) => number === undefined || each.attempt_id === number);
    terminal.out(isJson ? renderJson(shown) : shown.map(renderReflection).join("\n"));
  } else if (number === undefined) {
    terminal.out(renderTaskHistory(history));
  } else {
    const attempt = pickAttempt(history, history.attempts, number);
    terminal.out(
      isJson ? renderJson(attempt) : `${renderAttempt(attempt, history.reflections).join("\n")}\n`,
    );
  }
}

async function exportHistories(
  histories: readonly TaskHistory[],
  value: unknown,
  file: string,
  force: boolean,
  terminal: Terminal,
): Promise<void> {
  const path = resolve(file);
  const render = renderers[extname(path).toLowerCase()];
  if (render === undefined) {
    throw new RalphError("wrong-use", `--export needs a file name ending in .md or .json, not ${file}`);
  }
  if (!force && existsSync(path)) {
    throw new RalphError("already-exists", `${file} already exists`, {
      hint: "choose another name, or overwrite it with --force",
    });
  }
  const { replaceFile } = await import("../../../files/writing/replace-file.js");
  replaceFile(path, render(histories, value));
  terminal.talk(`${counted(histories.length, "task")} written to ${file}\n`);
}

const renderers: Record<string, (histories: readonly TaskHistory[], value: unknown) => string> = {
  ".json": (_histories, value) => jsonText(value),
  ".md": (histories) => histories.map(renderHistoryMarkdown).join("\n"),
};

function checkDate(name: string, day: string): string {
  if (isCalendarDate(day)) return day;
  throw new RalphError("wrong-use", `--${name} takes a date such as 2026-01-31, not ${JSON.stringify(day)}`);
}
