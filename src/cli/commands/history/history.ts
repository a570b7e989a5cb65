import { existsSync } from "node:fs";
import { extname } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption, sinceOption, untilOption } from "../../options/list-options.js";
import { taskFilterOf, taskFilterOptions } from "../../options/task-options.js";
import { type SelectedHistory, selectFromHistory } from "../../output/history/history-selection.js";
import { cutList } from "../../output/lists/cut-list.js";
import { showTasks } from "../../output/lists/tasks.js";
import { targetFile } from "../../output/target-file.js";
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
    checkCombination(id, options);
    const memory = await openMemory();
    const isFull = options.archived;
    if (id !== undefined) {
      const history = await memory.tasks.history(id, { isFull: isFull || options.export !== undefined });
      const selected = selectFromHistory(history, options);
      if (options.export !== undefined)
        await exportHistories([selected], selected.value, options, describeSelection(id, options), terminal);
      else if (format !== "json") terminal.out(selected.text(terminal) || "Nothing to show\n");
      else if (selected.value !== history) terminal.out(renderJson(selected.value));
      else terminal.out(renderJson({ ...history, task_memory: await memory.tasks.memory(id) }));
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
    const selected: SelectedHistory[] = [];
    for (const task of tasks)
      selected.push(selectFromHistory(await memory.tasks.history(task.id, { isFull: true }), options));
    const values = selected.map(({ value }) => value);
    await exportHistories(selected, values, options, counted(selected.length, "task"), terminal);
    return 0;
  },
});

const ofOneTask = ["attempt", "reflections"] as const;
const ofManyTasks = ["status", "tag", "agent", "since", "until", "limit", "all"] as const;

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

async function exportHistories(
  selected: readonly SelectedHistory[],
  value: unknown,
  { export: file = "", force }: { export: string | undefined; force: boolean },
  what: string,
  terminal: Terminal,
): Promise<void> {
  const path = targetFile(file);
  const render = renderers[extname(path).toLowerCase()];
  if (render === undefined) {
    throw new RalphError("wrong-use", `--export needs a file name ending in .md or .json, not ${file}`);
  }
  if (!force && existsSync(path)) {
    throw new RalphError("already-exists", `${file} already exists`, {
      hint: "choose another name, or overwrite it with --force",
    });
  }
  const { replaceFile } = await import("../../../files/replace-file.js");
  replaceFile(path, render(selected, value));
  terminal.talk(`${what} written to ${file}\n`);
}

function describeSelection(
  id: string,
  { attempt, reflections }: { attempt: number | undefined; reflections: boolean },
): string {
  const of = attempt === undefined ? id : `attempt ${attempt} of ${id}`;
  return reflections
    ? `Reflections on ${of}`
    : attempt === undefined
      ? "1 task"
      : `Attempt ${attempt} of ${id}`;
}

const renderers: Record<string, (selected: readonly SelectedHistory[], value: unknown) => string> = {
  ".json": (_selected, value) => jsonText(value),
  ".md": (selected) => selected.map((each) => each.markdown()).join("\n"),
};
