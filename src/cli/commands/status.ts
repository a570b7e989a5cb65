import { renderDuration } from "../../domain/duration.js";
import { type Run, reportUsage, type UsageReport, whyOver } from "../../domain/tasks/run.js";
import type { Memory } from "../../memory/memory.js";
import type { RunState } from "../../memory/runs/end-run.js";
import { hasSecretCheck, type PausedRun } from "../../memory/runs/paused-runs.js";
import { runsOf } from "../../memory/runs/runs.js";
import { memoriesAtHand } from "../../memory/team/task-place.js";
import type { TeamStore, UnderWay } from "../../memory/team/team.js";
import { listed } from "../../text/counted.js";
import { defineCommand } from "../framework/command.js";
import { flag } from "../framework/options.js";
import { listedObjective } from "../output/tasks.js";
import { renderJson } from "../output/terminal/style.js";
import { renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { shownTime } from "../output/times.js";
import { waitingFor } from "./sync.js";

interface ShownRun {
  task_id: string;
  state: RunState | PausedRun["state"];
  agent: string;
  attempt: number;
  iterations: number;
  elapsed_seconds: number;
  process: number;
  host: string;
  made_by?: string;
  lease_until?: string;
  ended?: string;
  left_processes?: number[];
  /** The working tree that it works in. */
  folder?: string;
  /** False if its check holds a secret, which was not stored. */
  resumable?: boolean;
  usage: UsageReport;
  objective: string;
}

export const statusCommand = defineCommand({
  summary: "show active and paused runs",
  description:
    "Shows this project's runs that are not over, whether they are really running or were interrupted. A run that was\n" +
    "interrupted, whose process is gone, or that has given no sign of life for a minute (lease lapsed) can be continued with\n" +
    '"ralph resume TASK", or given up with "ralph stop TASK --discard". With --all, who works on what: runs and attempts\n' +
    "that were started by hand, on all machines that share the project's memory, each with the time until which it is held,\n" +
    "and its last action.",
  options: { all: flag("all work under way, by hand as well, and who does it") },
  examples: ["ralph status", "ralph status --all", "ralph status --json"],
  async run({ options: { all }, format, terminal, openMemory }) {
    const memory = await openMemory({ isForgiving: true });
    const team = await memory.team.describe();
    if (team !== undefined && format !== "json") terminal.talk(`${describeTeam(team)}\n`);
    if (all) {
      const works = await memory.team.underWay();
      if (format === "json") terminal.out(renderJson(works));
      else if (works.length === 0) terminal.talk("Nobody works on a task\n");
      else terminal.out(renderWorks(works, terminal));
      return 0;
    }
    const memories = await memoriesAtHand(memory);
    const found = (await Promise.all(memories.map(listShown))).flat();
    if (format === "json") terminal.out(renderJson(found));
    else if (found.length === 0) terminal.talk(`No active runs${await resumeHint(memories[0] ?? memory)}\n`);
    else {
      terminal.out(renderRuns(found, terminal));
      for (const run of found)
        for (const line of linesAbout(run, memory.project.root)) terminal.talk(`${line}\n`);
    }
  },
});

function renderWorks(works: readonly UnderWay[], terminal: Terminal): string {
  const rows = works.map((work) => [
    work.task_id,
    work.made_by ?? "",
    work.agent ?? "",
    work.host ?? "",
    work.state,
    shownTime(work.since, terminal),
    work.last_action === undefined ? "" : `${work.last_action.tool} ${work.last_action.what}`.trimEnd(),
    listedObjective(work.objective),
  ]);
  const columns = [
    "TASK",
    { title: "BY" },
    { title: "AGENT", drop: 2 },
    { title: "HOST", drop: 4 },
    { title: "STATE", drop: 5 },
    { title: "SINCE", drop: 3 },
    { title: "LAST ACTION", drop: 1 },
    "OBJECTIVE",
  ];
  return renderTable(columns, rows, terminal);
}

function describeTeam(team: TeamStore): string {
  const waiting = waitingFor(team);
  const rest = waiting === undefined ? "" : `; ${waiting} to be delivered ("ralph sync")`;
  return `Shared memory: ${team.project} in ${team.address}${rest}`;
}

/** What is not over: the runs that have not ended, then those that were interrupted. */
async function listShown(memory: Memory): Promise<ShownRun[]> {
  const runs = runsOf(memory);
  const paused = new Map((await runs.listPaused()).map((each) => [each.run.id, each]));
  const found: ShownRun[] = [];
  for (const run of await runs.list()) {
    const { description, current_attempt: attempt } = await memory.tasks.history(run.task_id);
    const { state, left } = await runs.look(run);
    const shown = toShown(run, { state, attempt, description });
    const { isResumable } = paused.get(run.id) ?? {};
    found.push({
      ...shown,
      ...(left.length > 0 && { left_processes: left }),
      ...(isResumable !== undefined && { resumable: isResumable }),
    });
    paused.delete(run.id);
  }
  for (const { run, task, state, isResumable } of paused.values()) {
    const { description, current_attempt: attempt } = task;
    found.push({ ...toShown(run, { state, attempt, description }), resumable: isResumable });
  }
  return found;
}

function toShown(
  { task_id, options, iterations, started, ended, runner, made_by, lease_until, usage }: Run,
  { state, attempt, description }: { state: ShownRun["state"]; attempt: number; description: string },
): ShownRun {
  const until = ended === undefined ? Date.now() : Date.parse(ended);
  return {
    ...{ task_id, state, agent: options.agent, attempt, iterations },
    elapsed_seconds: Math.round((until - Date.parse(started)) / 1000),
    ...{ process: runner.pid, host: runner.host },
    ...(made_by !== undefined && { made_by }),
    ...(ended === undefined ? lease_until !== undefined && { lease_until } : { ended }),
    ...(options.folder !== undefined && { folder: options.folder }),
    usage: reportUsage(usage),
    objective: description,
  };
}

function renderRuns(found: readonly ShownRun[], terminal: Terminal): string {
  const rows = found.map((each) => [
    each.task_id,
    each.left_processes ? `${each.state}, agent running` : each.state,
    each.agent,
    `${each.attempt}`,
    `${each.iterations}`,
    renderDuration(each.elapsed_seconds * 1000),
    each.ended === undefined ? `${each.process}` : "",
    listedObjective(each.objective),
  ]);
  const columns = [
    "TASK",
    { title: "STATE" },
    { title: "AGENT", drop: 4 },
    { title: "ATTEMPT", drop: 2 },
    { title: "ITERATIONS", drop: 3 },
    { title: "ELAPSED", drop: 5 },
    { title: "PROCESS", drop: 1 },
    "OBJECTIVE",
  ];
  return renderTable(columns, rows, terminal);
}

function linesAbout(run: ShownRun, root: string): string[] {
  const { task_id: id, state, host, made_by: name, left_processes: left, folder, resumable } = run;
  const lines: string[] = [];
  const giveUp = `ralph stop ${id} --discard`;
  if (left !== undefined) {
    const what = listed(left, "process", "processes");
    const next = left.length === 1 ? "runs; end it" : "run; end them";
    lines.push(`${id} was killed, but ${what} of its agent still ${next} with: ralph stop ${id}`);
  }
  if (folder !== undefined && folder !== root) lines.push(`${id} works in ${folder}`);
  if (state === "running elsewhere")
    lines.push(`${id} runs on ${host}${name === undefined ? "" : ` (${name})`}`);
  else if (state !== "running")
    lines.push(
      resumable === false
        ? `${id} cannot be resumed: its check holds a secret, which was not stored; start again with "ralph run", and give this one up with: ${giveUp}`
        : `Continue with: ralph resume ${id}; give it up with: ${giveUp}`,
    );
  return lines;
}

/** Suggests to resume the last run if it did not succeed and its task is still open. */
async function resumeHint(memory: Memory): Promise<string> {
  const last = await runsOf(memory).findLast();
  if (last?.end === undefined) return "";
  const { id, status } = await memory.tasks.history(last.task_id);
  if (whyOver(last, status) !== undefined) return "";
  const next = (await hasSecretCheck(last)) ? `ralph history ${id}` : `ralph resume ${id}`;
  return `; ${id} ended ${last.end.kind}: ${next}`;
}
