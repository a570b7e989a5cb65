import { taskTypes } from "../../domain/knowledge/learning.js";
import { leftOutAsAltered } from "../../domain/knowledge/statement.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { defineCommand } from "../framework/command.js";
import { flag, number, text, texts } from "../framework/options.js";
import { renderJson } from "../output/terminal/style.js";
import { renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";

export const recallCommand = defineCommand({
  summary: "recall what is relevant to an objective",
  description:
    "Searches notes, learnings, past tasks and skills, and prints what is relevant as a brief for a prompt: fenced as data,\n" +
    "whole entries only, within the budget. With --task, the task's own reflections come first, and the entries shown are\n" +
    "recorded so that the task's outcome is credited to them.",
  arguments: [{ name: "objective", summary: "what you are about to do", isOptional: true }],
  options: {
    task: text("ID", "current task, such as task-001"),
    file: texts("PATH", "a relevant file or part of a path; repeatable"),
    error: texts("TEXT", "an error message you ran into; repeatable"),
    type: text("TYPE", "task type", { values: taskTypes }),
    iteration: number("N", "number of the next iteration"),
    memory: text(
      "N",
      "how many of the task's reflections to use: a number, simple, moderate, complex or maximum [default: 3]",
      { short: "m" },
    ),
    budget: number("TOKENS", "maximum number of tokens; 0 means no limit [default: recall.budget, 4000]"),
    "no-cross-task": flag("leave out what was learned from other tasks"),
    explain: flag("show why each entry is there, and the parts of its score"),
  },
  formats: ["markdown", "json", "table"],
  isLong: true,
  examples: [
    'ralph recall "Fix the flaky login test"',
    'ralph recall "Fix the build" --error "TS2322: Type string is not assignable" --file src/api --explain',
    'ralph recall --error "ECONNREFUSED 127.0.0.1:5432"',
    "ralph recall --task task-007 --budget 1000",
  ],
  async run({ arguments: [objective], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const recalled = await memory.recall({
      objective,
      taskId: options.task,
      taskType: options.type,
      files: options.file,
      errors: options.error,
      iteration: options.iteration,
      memory: options.memory,
      budgetTokens: options.budget,
      isCrossTask: options["no-cross-task"] ? false : undefined,
    });
    if (format === "json") terminal.out(renderJson(recalled));
    else if (format === "table" || options.explain) showTable(recalled, options.explain, terminal);
    else if (recalled.text === "") terminal.talk(nothingShown(recalled));
    else terminal.out(recalled.text);
    if (format !== "json" && recalled.altered)
      terminal.talk(`${leftOutAsAltered(recalled.altered.length)}\n`);
  },
});

function nothingShown({ leftOut, budgetTokens, isHoldout }: Recall): string {
  if (isHoldout) return "Nothing shown: this task is in the control group (recall.holdout)\n";
  return leftOut > 0
    ? `Nothing fits into ${budgetTokens} tokens; ${leftOut} left out\n`
    : "Nothing relevant found\n";
}

function showTable(recalled: Recall, isExplained: boolean, terminal: Terminal): void {
  const { entries, leftOut, tokens, budgetTokens, taskType } = recalled;
  if (entries.length === 0) {
    terminal.talk(nothingShown(recalled));
    return;
  }
  const rows = entries.map(({ id, kind, section, score, parts, statement, why }) => [
    kind === "reflection" ? withoutTime(id) : id,
    section,
    score.toFixed(2),
    statement,
    ...(isExplained ? [why, explained(kind, parts)] : []),
  ]);
  terminal.out(
    renderTable(
      [
        "ID",
        { title: "SECTION", drop: 1 },
        { title: "SCORE", drop: 2 },
        "STATEMENT",
        ...(isExplained
          ? [{ title: "WHY", isBelow: true } as const, { title: "PARTS", isBelow: true } as const]
          : []),
      ],
      rows,
      terminal,
    ),
  );
  const budget = budgetTokens === 0 ? "" : ` of ${budgetTokens}`;
  terminal.talk(
    `${taskType} task · ${tokens}${budget} tokens${leftOut > 0 ? ` · ${leftOut} left out` : ""}\n`,
  );
}

function withoutTime(id: string): string {
  return id.slice(0, id.lastIndexOf(" "));
}

/** Parts of a score add up, so they are signed. Those of a similar task do not: each is a score of its own. */
function explained(kind: string, parts: Readonly<Record<string, number>>): string {
  const sign = (value: number) => (value < 0 ? "−" : kind === "task" ? "" : "+");
  return Object.entries(parts)
    .filter(([, value]) => Math.abs(value) >= 0.005)
    .map(([name, value]) => `${name} ${sign(value)}${Math.abs(value).toFixed(2)}`)
    .join(", ");
}
