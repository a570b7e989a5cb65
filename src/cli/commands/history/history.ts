import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { isCalendarDate } from "../../../domain/clock.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { type Task, type TaskStatus, taskStatuses } from "../../../domain/tasks/task.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { type SelectedHistory, selectFromHistory } from "../../output/history-selection.js";
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
    checkCombination(id, options);
    const memory = await openMemory();
    const isFull = options.archived;
    if (id !== undefined) {
      const history = await memory.tasks.history(id, { isFull: isFull || options.export !== undefined });
      const selected = selectFromHistory(history, options);
      if (options.export !== undefined)
        await exportHistories([selected], selected.value, options.export, options.force, terminal);
      else if (format !== "json") terminal.out(selected.text() || "Nothing to show\n");
      else if (selected.value !== history) terminal.out(renderJson(selected.value));
      else terminal.out(renderJson({ ...history, task_memory: await memory.tasks.memory(id) }));
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
    const selected: SelectedHistory[] = [];
    for (const task of tasks)
      selected.push(selectFromHistory(await memory.tasks.history(task.id, { isFull: true }), options));
    const values = selected.map(({ value }) => value);
    await exportHistories(selected, values, options.export, options.force, terminal);
    return 0;
  },
});

const ofOneTask = ["attempt", "reflections"] as const;
const ofManyTasks = ["status", "tag", "agent", "since", "until", "last"] as const;

/** An option that would be ignored is an error. */
function checkCombination(id: string | undefined, options: Record<string, unknown>): void {
  const isGiven = (name: string) => options[name] !== undefined && options[name] !== false;
  if (id === undefined) {
    const name = ofOneTask.find(isGiven);
    if (name === undefined) return;
    const value = name === "attempt" ? ` ${options.attempt}` : "";
    throw new RalphError("wrong-use", `--${name} needs a task`, {
      hint: `such as "ralph history task-001 --${name}${value}"; "ralph history" lists the tasks`,
    });
  }
  const name = ofManyTasks.find(isGiven);
  if (name !== undefined) {
    throw new RalphError("wrong-use", `--${name} selects among tasks; it cannot be used with ${id}`, {
      hint: `leave out ${id}, or --${name}`,
    });
  }
}

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

async function exportHistories(
  selected: readonly SelectedHistory[],
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
  replaceFile(path, render(selected, value));
  terminal.talk(`${counted(selected.length, "task")} written to ${file}\n`);
}

const renderers: Record<string, (selected: readonly SelectedHistory[], value: unknown) => string> = {
  ".json": (_selected, value) => jsonText(value),
  ".md": (selected) => selected.map((each) => each.markdown()).join("\n"),
};

function checkDate(name: string, day: string): string {
  if (isCalendarDate(day)) return day;
  throw new RalphError("wrong-use", `--${name} takes a date such as 2026-01-31, not ${JSON.stringify(day)}`);
}
