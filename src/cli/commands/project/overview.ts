import { homedir } from "node:os";
import { basename } from "node:path";
import type { Task } from "../../../domain/tasks/task.js";
import type { Memory } from "../../../memory/memory.js";
import { runsOf } from "../../../memory/runs/make-run-verbs.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";
import { style } from "../../output/terminal/style.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { shownTime } from "../../output/times.js";

/** What `ralph` alone says: where one is, and what to try next. */
export const overviewCommand = defineCommand({
  summary: "show where one is and what to try next",
  arguments: [],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory({ isForgiving: true });
    const where = await lookAround(memory);
    if (format === "json") terminal.out(renderJson(where));
    else terminal.out(render(where, terminal));
    return 0;
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
  last_task?: Pick<Task, "id" | "status" | "updated" | "description">;
  /** Tasks that a run has left, and that can go on. */
  unfinished: string[];
  next: Step[];
}

async function lookAround(memory: Memory): Promise<Overview> {
  const notes = (await memory.notes.list()).length;
  const tasks = await memory.tasks.list();
  const { totalSize: learnings } = await memory.learnings.stats();
  const unfinished = await findUnfinished(memory, tasks);
  const [last] = tasks;
  return {
    project: memory.project.root,
    ...{ notes, tasks: tasks.length, learnings },
    ...(last && {
      last_task: {
        id: last.id,
        status: last.status,
        updated: last.updated,
        description: last.description,
      },
    }),
    unfinished,
    next: suggestSteps({ notes, last, unfinished }),
  };
}

/** Runs that ended without success, or whose process is gone, of tasks that are still open. */
async function findUnfinished(memory: Memory, tasks: readonly Task[]): Promise<string[]> {
  const runs = runsOf(memory);
  const open = new Set(tasks.filter(({ status }) => status !== "completed").map(({ id }) => id));
  const left: string[] = [];
  for (const run of await runs.list()) if ((await runs.look(run)).state !== "running") left.push(run.task_id);
  const last = await runs.findLast();
  if (last?.end !== undefined && last.end.kind !== "completed") left.push(last.task_id);
  return [...new Set(left)].filter((id) => open.has(id));
}

function suggestSteps(found: { notes: number; last: Task | undefined; unfinished: string[] }): Step[] {
  const { notes, last, unfinished } = found;
  const [resumable] = unfinished;
  const steps: Step[] = [
    ...(resumable ? [{ command: `ralph resume ${resumable}`, what: "go on with it" }] : []),
    ...(last ? [{ command: `ralph history ${last.id}`, what: "what was tried and learned" }] : []),
    ...(notes === 0 && last === undefined
      ? [
          { command: "ralph demo", what: "watch it work, in a scratch repository" },
          { command: "ralph setup", what: "connect your coding agents" },
        ]
      : [{ command: 'ralph recall "<what you are about to do>"', what: "what is known about it" }]),
    { command: 'ralph memory add "<what to remember>"', what: "a note for the next session" },
    { command: 'ralph run "<objective>" --verify "npm test"', what: "an agent, until the check passes" },
  ];
  return steps.slice(0, 3);
}

function render(
  { project, last_task: last, unfinished, next, ...counts }: Overview,
  terminal: Terminal,
): string {
  const amounts = [
    counted(counts.notes, "note"),
    counted(counts.tasks, "task"),
    counted(counts.learnings, "learning"),
  ];
  const isEmpty = counts.notes + counts.tasks + counts.learnings === 0;
  const width = Math.max(...next.map(({ command }) => command.length));
  return [
    `${style(oneLine(basename(project)), "bold", terminal)}  ${oneLine(shortPath(project))}`,
    isEmpty ? "  no memory here yet" : `  ${amounts.join(", ")}`,
    ...(last
      ? [
          `  last task: ${last.id}, ${last.status}, ${shownTime(last.updated, terminal)}: ${oneLine(last.description)}`,
        ]
      : []),
    ...(unfinished.length > 0 ? [`  can go on: ${unfinished.join(", ")}`] : []),
    "",
    "Try next:",
    ...next.map(({ command, what }) => `  ${command.padEnd(width)}  ${style(what, "dim", terminal)}`),
    "",
    '"ralph help" lists all commands, "ralph <command> --help" explains one.',
    "",
  ].join("\n");
}

function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
