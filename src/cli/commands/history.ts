import { existsSync } from "node:fs";
import { extname } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { pickAttempt } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { counted } from "../../text/counted.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import {
  allOption,
  dryRunOption,
  flag,
  limitOf,
  limitOption,
  number,
  text,
  untilOption,
} from "../framework/options.js";
import { printList } from "../framework/print.js";
import { renderAttempt, renderReflection, renderTaskHistory } from "../output/history.js";
import { renderHistoryMarkdown } from "../output/history-markdown.js";
import { targetFile } from "../output/target-file.js";
import { taskFilterOf, taskFilterOptions, taskTable } from "../output/tasks.js";
import { jsonText } from "../output/terminal/style.js";
import type { Terminal } from "../output/terminal/terminal.js";

export const historyCommand = defineCommand({
  summary: "show recorded tasks, or one task as a timeline",
  description: '"ralph history archive" summarises and archives old tasks; --archived shows them in full.',
  arguments: [{ name: "task", summary: "task id, such as task-001", isOptional: true }],
  options: {
    attempt: number("N", "only this attempt of the task"),
    reflections: flag("only the task's reflections"),
    export: text("FILE", "write to a Markdown (.md) or JSON (.json) file"),
    force: flag("with --export: overwrite an existing file"),
    ...taskFilterOptions,
    until: untilOption,
    limit: limitOption(undefined, "show only the newest N tasks; 0 means all"),
    all: allOption,
    archived: flag("include archived tasks, and show all actions in full"),
  },
  isLong: true,
  examples: [
    "ralph history",
    "ralph history --status failed --tag auth",
    "ralph history task-001 --reflections",
    "ralph history task-001 --attempt 2 --json",
    "ralph history task-001 --export task-001.md",
  ],
  async run(invocation) {
    const { arguments: words, options, terminal, print, openMemory } = invocation;
    const [id] = words;
    checkCombination(id, options);
    const { tasks } = await openMemory();
    const isFull = options.archived || options.export !== undefined;
    if (id !== undefined) {
      const history = await tasks.history(id, { isFull });
      const selected = selectFromHistory(history, options);
      if (options.export !== undefined)
        await exportHistories([selected], selected.value, options, describeSelection(id, options), terminal);
      else {
        const isWhole = selected.value === history;
        const json = isWhole ? { ...history, task_memory: await tasks.memory(id) } : selected.value;
        print({ json, table: () => selected.text(terminal) || "Nothing to show\n" });
      }
      return;
    }
    const filter = { ...taskFilterOf(options), includesArchived: options.archived };
    if (options.export === undefined) {
      await printList(invocation, {
        find: (limit) => tasks.list({ ...filter, limit }),
        table: (items) => taskTable(items, terminal),
        empty: "No tasks to show",
      });
      return;
    }
    const selected: SelectedHistory[] = [];
    for (const task of await tasks.list({ ...filter, limit: limitOf(options) }))
      selected.push(selectFromHistory(await tasks.history(task.id, { isFull }), options));
    const values = selected.map(({ value }) => value);
    await exportHistories(selected, values, options, counted(selected.length, "task"), terminal);
  },
});

const ofOneTask = ["attempt", "reflections"] as const;
const ofManyTasks = ["status", "tag", "agent", "since", "until", "limit", "all"] as const;

/** An option that would be ignored is an error. */
function checkCombination(id: string | undefined, options: Record<string, unknown>): void {
  const isGiven = (name: string) => options[name] !== undefined && options[name] !== false;
  const name = (id === undefined ? ofOneTask : ofManyTasks).find(isGiven);
  if (name === undefined) return;
  if (id !== undefined)
    throw wrongUse(
      `--${name} selects among tasks; it cannot be used with ${id}`,
      `leave out ${id}, or --${name}`,
    );
  const value = name === "attempt" ? ` ${options.attempt}` : "";
  throw wrongUse(
    `--${name} needs a task`,
    `such as "ralph history task-001 --${name}${value}"; "ralph history" lists the tasks`,
  );
}

interface HistorySelection {
  attempt?: number | undefined;
  reflections: boolean;
}

/** What the user asked for: as a value for JSON, as lines for a terminal and as a Markdown document. */
interface SelectedHistory {
  value: unknown;
  text(terminal: Terminal): string;
  markdown(): string;
}

function selectFromHistory(history: TaskHistory, selection: HistorySelection): SelectedHistory {
  const { attempt: number, reflections: isOnlyReflections } = selection;
  const attempt = number === undefined ? undefined : pickAttempt(history, history.attempts, number);
  const reflections = attempt === undefined ? history.reflections : reflectionsOf(history, attempt);
  if (isOnlyReflections) {
    const text = () => reflections.map(renderReflection).join("\n");
    return { value: reflections, text, markdown: text };
  }
  if (attempt === undefined)
    return {
      value: history,
      text: (terminal) => renderTaskHistory(history, terminal),
      markdown: () => renderHistoryMarkdown(history),
    };
  return {
    value: attempt,
    text: (terminal) => `${renderAttempt(attempt, history.reflections, terminal).join("\n")}\n`,
    markdown: () => renderHistoryMarkdown({ ...history, attempts: [attempt], reflections }),
  };
}

function reflectionsOf({ reflections }: TaskHistory, attempt: AttemptHistory): Reflection[] {
  return reflections.filter(({ attempt_id: id }) => id === attempt.id);
}

function describeSelection(id: string, { attempt, reflections }: HistorySelection): string {
  const task = attempt === undefined ? id : `attempt ${attempt} of ${id}`;
  if (reflections) return `Reflections on ${task}`;
  return attempt === undefined ? "1 task" : `Attempt ${attempt} of ${id}`;
}

async function exportHistories(
  selected: readonly SelectedHistory[],
  value: unknown,
  { export: file = "", force }: { export: string | undefined; force: boolean },
  what: string,
  terminal: Terminal,
): Promise<void> {
  const path = targetFile(file);
  const extension = extname(path).toLowerCase();
  if (extension !== ".json" && extension !== ".md")
    throw wrongUse(`--export needs a file name ending in .md or .json, not ${file}`);
  if (!force && existsSync(path))
    throw new RalphError("already-exists", `${file} already exists`, {
      hint: "choose another name, or overwrite it with --force",
    });
  const markdown = () => selected.map((each) => each.markdown()).join("\n");
  const { replaceFile } = await import("../../files/replace-file.js");
  replaceFile(path, extension === ".json" ? jsonText(value) : markdown());
  terminal.talk(`${what} written to ${file}\n`);
}

const archive = defineCommand({
  summary: "summarise and archive old tasks",
  description:
    "Actions older than 7 days are shown as a summary. Finished tasks older than 30 days are archived unless another\n" +
    "record refers to them. Nothing is lost: the full record is kept, compressed; ralph history --archived shows it.",
  options: { "dry-run": dryRunOption },
  examples: ["ralph history archive --dry-run", "ralph history archive"],
  async run({ options, format, terminal, print, openMemory }) {
    const dryRun = options["dry-run"];
    const result = await (await openMemory()).tasks.archive({ dryRun });
    const { summarised, archived, kept } = result;
    const lines = [
      ...summarised.map(
        ({ task_id, attempt_id, ended }) =>
          `summarised  ${task_id} attempt ${attempt_id}  ended ${ended.slice(0, 10)}\n`,
      ),
      ...archived.map(
        ({ task_id, updated }) => `archived    ${task_id}  last changed ${updated.slice(0, 10)}\n`,
      ),
      ...kept.map((id) => `kept        ${id}  another record refers to it\n`),
    ];
    print({ json: result, table: lines.join("") });
    if (format !== "table") return;
    const verb = dryRun ? "would be" : "were";
    terminal.talk(
      `${counted(summarised.length, "attempt")} ${verb} summarised, ${counted(archived.length, "task")} ${verb} archived\n`,
    );
  },
});

export const historyCommands = { archive };
