import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { pickAttempt } from "../../../domain/tasks/pick-attempt.js";
import type { TaskHistory } from "../../../episodic/history/query-history.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption, sinceOption, untilOption } from "../../options/list-options.js";
import { taskFilterOf, taskFilterOptions } from "../../options/task-options.js";
import { renderAttempt, renderReflection, renderTaskHistory } from "../../output/history.js";
import { renderHistoryMarkdown } from "../../output/history-markdown.js";
import { cutList } from "../../output/lists/cut-list.js";
import { showTasks } from "../../output/lists/tasks.js";
import { jsonText, renderJson } from "../../output/terminal/json.js";
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
    ...taskFilterOptions,
    since: { ...sinceOption, summary: "only tasks updated since then: 24h, 30d or 2026-01-31" },
    until: untilOption,
    limit: { ...limitOption, summary: "show only the newest N tasks; 0 means all" },
    all: allOption,
    archived: { kind: "flag", summary: "include archived tasks, and show all actions in full" },
  },
  formats: ["table", "json"],
  isLong: true,
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
    const filter = { ...taskFilterOf(options), includesArchived: isFull };
    const { items: tasks, tell } = await cutList(
      limitOf(options),
      (limit) => memory.tasks.list({ ...filter, limit }),
      { terminal, format },
    );
    if (options.export === undefined) {
      showTasks(tasks, format === "json", terminal);
      tell();
      return 0;
    }
    const histories: TaskHistory[] = [];
    for (const task of tasks) histories.push(await memory.tasks.history(task.id, { isFull: true }));
    await exportHistories(histories, histories, options.export, options.force, terminal);
    return 0;
  },
});

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
    terminal.out(renderTaskHistory(history, terminal));
  } else {
    const attempt = pickAttempt(history, history.attempts, number);
    terminal.out(
      isJson ? renderJson(attempt) : `${renderAttempt(attempt, history.reflections, terminal).join("\n")}\n`,
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
