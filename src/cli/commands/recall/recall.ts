import { taskTypes } from "../../../domain/knowledge/learning.js";
import type { Recall } from "../../../memory/recall/recall-input.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { printable } from "../../output/terminal/printable.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";

export const recallCommand = defineCommand({
  summary: "the few things that matter for an objective",
  description:
    "Looks through notes, learnings, past tasks and skills, and prints what has to do with the objective as a brief for a\n" +
    "prompt: fenced as data, whole entries only, within the budget. With --task the task's own reflections come first, and\n" +
    "what is shown is recorded, so that the outcome of the task can be credited to it.",
  arguments: [{ name: "objective", summary: "what is to be done", isOptional: true }],
  options: {
    task: { kind: "text", placeholder: "ID", summary: "the task that is worked on, such as task-001" },
    file: {
      kind: "texts",
      placeholder: "PATH",
      summary: "a file, or part of a path, that the work is about",
    },
    error: { kind: "texts", placeholder: "TEXT", summary: "an error that came up" },
    type: { kind: "text", placeholder: "TYPE", summary: "the kind of task", values: taskTypes },
    iteration: { kind: "number", placeholder: "N", summary: "the iteration that is about to begin" },
    memory: {
      kind: "text",
      short: "m",
      placeholder: "N",
      summary: "how many of the task's last reflections, or simple, moderate, complex, maximum [default: 3]",
    },
    budget: {
      kind: "number",
      placeholder: "TOKENS",
      summary: "at most so many tokens; 0 is unlimited [default: recall.budget, 4000]",
    },
    "no-cross-task": { kind: "flag", summary: "leave out what other tasks taught" },
    explain: { kind: "flag", summary: "a table with the parts of each score" },
  },
  formats: ["markdown", "json", "table"],
  examples: [
    'ralph recall "Fix the flaky login test"',
    'ralph recall "Fix the build" --error "TS2322: Type string is not assignable" --file src/api --explain',
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
    else if (recalled.text === "") terminal.talk(nothingSaid(recalled));
    else terminal.out(terminal.isScreen ? printable(recalled.text) : recalled.text);
    return 0;
  },
});

function nothingSaid({ leftOut, budgetTokens, isHoldout }: Recall): string {
  if (isHoldout) return "Nothing is shown to this task: it belongs to the control group (recall.holdout)\n";
  return leftOut > 0
    ? `Nothing fits into ${budgetTokens} tokens; ${leftOut} left out\n`
    : "Nothing that is remembered has to do with that\n";
}

function showTable(recalled: Recall, isExplained: boolean, terminal: Terminal): void {
  const { entries, leftOut, tokens, budgetTokens, taskType } = recalled;
  if (entries.length === 0) {
    terminal.talk(nothingSaid(recalled));
    return;
  }
  const rows = entries.map(({ id, kind, section, score, parts, statement }) => [
    kind === "reflection" ? withoutTime(id) : id,
    section,
    score.toFixed(2),
    statement,
    ...(isExplained ? [explained(kind, parts)] : []),
  ]);
  terminal.out(
    renderTable(
      ["ID", "SECTION", "SCORE", "WHAT IT SAYS", ...(isExplained ? ["PARTS"] : [])],
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

/** The parts of a score are added up; those of a similar task are not: each alone can make it similar. */
function explained(kind: string, parts: Readonly<Record<string, number>>): string {
  const sign = (value: number) => (value < 0 ? "−" : kind === "task" ? "" : "+");
  return Object.entries(parts)
    .filter(([, value]) => Math.abs(value) >= 0.005)
    .map(([name, value]) => `${name} ${sign(value)}${Math.abs(value).toFixed(2)}`)
    .join(", ");
}
