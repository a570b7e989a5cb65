import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { homeFolder } from "../../domain/environment.js";
import type { Task } from "../../domain/tasks/task.js";
import { listResumable } from "../../loop/start/find-resumable.js";
import type { Memory } from "../../memory/memory.js";
import { counted } from "../../text/counted.js";
import { defineCommand } from "../framework/command.js";
import { listedObjective } from "../output/tasks.js";
import { oneLine, style } from "../output/terminal/style.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { shownTime } from "../output/times.js";

/** What `ralph` alone says: where one is, and what to try next. */
export const overviewCommand = defineCommand({
  summary: "show the state of the project and what to try next",
  examples: ["ralph"],
  async run({ terminal, print, openMemory }) {
    const memory = await openMemory({ isForgiving: true });
    const where = await lookAround(memory);
    print({ json: where, table: render(where, isSetUp(memory), terminal) });
  },
});

interface Step {
  command: string;
  what: string;
}

interface Overview {
  project: string;
  notes: number;
  tasks: number;
  learnings: number;
  /** Findings that wait for a review. */
  staged: number;
  last_task?: Pick<Task, "id" | "status" | "updated" | "description">;
  /** Tasks that a run has left, and that can go on. */
  unfinished: string[];
  next: Step[];
}

async function lookAround(memory: Memory): Promise<Overview> {
  const notes = (await memory.notes.list()).length;
  const tasks = await memory.tasks.list();
  const { totalSize: learnings } = await memory.learnings.stats();
  const { pending, validated } = await memory.learnings.stagingStats();
  const staged = pending + validated;
  const unfinished = await listResumable(memory);
  const [last] = tasks;
  return {
    project: memory.project.root,
    ...{ notes, tasks: tasks.length, learnings, staged },
    ...(last && {
      last_task: {
        id: last.id,
        status: last.status,
        updated: last.updated,
        description: last.description,
      },
    }),
    unfinished,
    next: suggestSteps({ isSetUp: isSetUp(memory), notes, last, unfinished, staged }),
  };
}

function isSetUp({ project: { home, isUnmarked = false } }: Memory): boolean {
  return !isUnmarked && [".agent", ".ralph"].some((name) => existsSync(join(home, name)));
}

interface Found extends Pick<Overview, "notes" | "unfinished" | "staged"> {
  isSetUp: boolean;
  last: Task | undefined;
}

function suggestSteps({ isSetUp, notes, last, unfinished, staged }: Found): Step[] {
  const [first] = unfinished;
  const isEmpty = notes === 0 && last === undefined;
  const add = { command: 'ralph memory add "<what to remember>"', what: "a note for the next session" };
  const connect = { command: "ralph setup", what: "connect your coding agents" };
  const steps: Step[] = [
    ...(first ? [{ command: `ralph resume ${first}`, what: "continue it" }] : []),
    ...(staged > 0 ? [{ command: "ralph learnings review", what: "decide what is kept" }] : []),
    ...(last ? [{ command: `ralph history ${last.id}`, what: "what was tried and learned" }] : []),
    ...(isEmpty
      ? isSetUp
        ? [add, connect]
        : [{ command: "ralph demo", what: "watch it work, in a scratch repository" }, connect, add]
      : [{ command: 'ralph recall "<what you are about to do>"', what: "what is known about it" }, add]),
    { command: 'ralph run "<objective>" --verify "npm test"', what: "an agent, until the check passes" },
  ];
  return steps.slice(0, 3);
}

function render(
  { project, last_task: last, unfinished, next, ...counts }: Overview,
  isSetUp: boolean,
  terminal: Terminal,
): string {
  const amounts = [
    counted(counts.notes, "note"),
    counted(counts.tasks, "task"),
    counted(counts.learnings, "learning"),
  ];
  const width = Math.max(...next.map(({ command }) => command.length));
  return [
    `${style(oneLine(basename(project)), "bold", terminal)}  ${oneLine(shortPath(project))}`,
    isSetUp || counts.notes + counts.tasks + counts.learnings > 0
      ? `  ${amounts.join(", ")}`
      : "  no memory here yet",
    ...(last
      ? [
          `  last task: ${last.id}, ${last.status}, ${shownTime(last.updated, terminal)}: ${listedObjective(last.description)}`,
        ]
      : []),
    ...(counts.staged > 0 ? [`  ${counted(counts.staged, "finding")} to review`] : []),
    ...(unfinished.length > 0 ? [`  unfinished: ${unfinished.join(", ")}`] : []),
    "",
    "Try next:",
    ...next.map(({ command, what }) => `  ${command.padEnd(width)}  ${style(what, "dim", terminal)}`),
    "",
    '"ralph help" lists all commands, "ralph <command> --help" explains one.',
    "",
  ].join("\n");
}

function shortPath(path: string): string {
  const home = homeFolder();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
