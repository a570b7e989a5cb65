import { spawnSync } from "node:child_process";
import { RalphError } from "../../domain/ralph-error.js";
import { subjectOf } from "../../domain/tasks/action.js";
import type { IterationResult } from "../../domain/tasks/attempt.js";
import type { Replay, ReplayStep } from "../../episodic/history/query-history.js";
import { withoutControls } from "../../text/control-characters.js";
import { counted } from "../../text/counted.js";
import { isRedacted } from "../../text/secrets/mark.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import { flag, number, text } from "../framework/options.js";
import { confirm } from "../input/ask.js";
import { listedObjective } from "../output/tasks.js";
import { truncate } from "../output/terminal/display-width.js";
import { oneLine, renderJson } from "../output/terminal/style.js";
import type { Terminal } from "../output/terminal/terminal.js";

const longestPauseMs = 10_000;

export const replayCommand = defineCommand({
  summary: "step through an attempt's actions",
  description:
    "Shows each action with its reasoning, result and timing. Nothing is executed unless you pass --execute, which lists\n" +
    "the recorded shell commands, asks for confirmation, and runs them in the project's root.",
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: {
    attempt: number("N", "attempt to replay [default: the latest]"),
    from: number("STEP", "start at this step [default: 1]"),
    speed: text("X", "replay the original pauses X times as fast, each up to 10 s [default: no pauses]"),
    "dry-run": flag("print the commands that --execute would run"),
    execute: flag("run the recorded commands again"),
    yes: flag("with --execute: do not ask for confirmation"),
  },
  examples: [
    "ralph replay task-001",
    "ralph replay task-001 --attempt 2 --from 5 --speed 10",
    "ralph replay task-001 --dry-run",
  ],
  async run({ arguments: [id = ""], options, format, terminal, print, openMemory }) {
    const speed = readSpeed(options.speed);
    const memory = await openMemory();
    const replay = await memory.tasks.replay(id, {
      ...(options.attempt !== undefined && { attempt: options.attempt }),
      ...(options.from !== undefined && { from: options.from }),
    });
    const commands = replay.steps.flatMap((step) => commandOf(step) ?? []);
    if (options["dry-run"] || options.execute) {
      const list = commands.map(({ step, command }) => `${step}. ${oneLine(command)}\n`).join("");
      if (commands.length === 0) terminal.talk("No commands to run\n");
      if (!options.execute) print({ json: commands, table: list });
      else if (format === "json") terminal.talk(list);
      else terminal.out(list);
      if (!options.execute || commands.length === 0) return 0;
      if (options.yes && (await memory.trust.hasForeignRecords()))
        throw new RalphError("not-trusted", "These commands were recorded by somebody else", {
          hint: "read them, and confirm them on a terminal without --yes; or set RALPH_TRUST=1",
        });
      const runs = await execute(commands, memory.project.root, options.yes, terminal);
      if (format === "json") terminal.out(renderJson(runs ?? []));
      return runs?.every(({ isAsRecorded }) => isAsRecorded) ? 0 : 1;
    }
    if (format === "json") terminal.out(renderJson(replay));
    else await show(replay, speed, terminal);
  },
});

async function show(replay: Replay, speed: number | undefined, terminal: Terminal): Promise<void> {
  const { task_id, attempt_id, outcome = "running", steps, iterations, description } = replay;
  terminal.out(
    `${task_id} attempt ${attempt_id}  ${outcome}  ${counted(steps.length, "step")}\n${listedObjective(description.split("\n")[0] ?? "")}\n\n`,
  );
  const withSteps = new Set(steps.map(({ iteration }) => iteration));
  const pending = [...iterations];
  const showEnded = (before: number) => {
    for (let next = pending[0]; next !== undefined && next.iteration < before; next = pending[0]) {
      terminal.out(renderIteration(next, withSteps.has(next.iteration), terminal));
      pending.shift();
    }
  };
  for (const [index, step] of steps.entries()) {
    showEnded(step.iteration);
    terminal.out(renderStep(step, terminal));
    const isLast = index === steps.length - 1;
    if (speed === undefined || isLast) continue;
    const pauseMs = Math.min(longestPauseMs, (step.took_seconds * 1000) / speed);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  showEnded(Number.POSITIVE_INFINITY);
}

interface RecordedCommand {
  step: number;
  command: string;
  succeeded: boolean;
}

/** Tools that run shell commands. */
const shellTools =
  /^(?:bash|shell|sh|exec|exec_command|local_shell|run_shell_command|run_command|terminal)$/i;

function commandOf({ step, type, tool, params, success }: ReplayStep): RecordedCommand | undefined {
  if (type !== "bash" && !shellTools.test(tool)) return undefined;
  const { command } = params;
  return typeof command === "string" && command.trim() !== ""
    ? { step, command, succeeded: success }
    : undefined;
}

interface Run extends RecordedCommand {
  status: number | null;
  /** Same result as in the attempt. */
  isAsRecorded: boolean;
}

/** Undefined when the user declined. */
async function execute(
  commands: readonly RecordedCommand[],
  folder: string,
  isConfirmed: boolean,
  terminal: Terminal,
): Promise<Run[] | undefined> {
  const incomplete = commands.find(({ command }) => isRedacted(command));
  if (incomplete !== undefined)
    throw wrongUse(
      `Step ${incomplete.step} contained a secret, which is not recorded, so it cannot be run again`,
    );
  if (
    !isConfirmed &&
    !(await confirm(`Run ${counted(commands.length, "command")} in ${folder}?`, terminal))
  ) {
    terminal.talk("Nothing was run\n");
    return undefined;
  }
  return commands.map((recorded) => {
    terminal.talk(`\n${recorded.step}. ${oneLine(recorded.command)}\n`);
    // Output of the commands goes to stderr: stdout is for their results.
    const { status } = spawnSync(recorded.command, { cwd: folder, shell: true, stdio: ["ignore", 2, 2] });
    const isAsRecorded = (status === 0) === recorded.succeeded;
    const then = recorded.succeeded ? "succeeded" : "failed";
    const difference = isAsRecorded ? "" : " (different)";
    terminal.talk(`   exit code ${status ?? "unknown"}; in the attempt it ${then}${difference}\n`);
    return { ...recorded, status, isAsRecorded };
  });
}

function readSpeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const speed = Number(text);
  if (text.trim() !== "" && Number.isFinite(speed) && speed > 0) return speed;
  throw wrongUse(`--speed takes a number greater than 0, not ${JSON.stringify(text)}`);
}

const maxOutputLines = 6;

/** What came of an iteration: the agent's last words, and its trouble or, without any step that shows it, the output. */
function renderIteration(result: IterationResult, hasSteps: boolean, terminal: Terminal): string {
  const { iteration, success, said = "", trouble, output = "" } = result;
  const verdict = success === undefined ? "" : success ? ": passed" : ": failed";
  const lines = (text: string) => {
    const all = withoutControls(text).trim().split("\n");
    const hidden = all.length - maxOutputLines;
    return [...(hidden > 0 ? [`… ${hidden} more lines`] : []), ...all.slice(-maxOutputLines)];
  };
  return [
    `Iteration ${iteration}${verdict}${trouble === undefined ? "" : `: ${oneLine(trouble)}`}`,
    ...(said.trim() === "" ? [] : lines(said).map((line) => `   > ${line}`)),
    ...(hasSteps || output.trim() === "" ? [] : lines(output).map((line) => `   | ${line}`)),
    "",
    "",
  ]
    .map((line) => truncate(line, terminal.width))
    .join("\n");
}

export function renderStep(step: ReplayStep, terminal: Terminal): string {
  const fit = (line: string) => truncate(line, terminal.width);
  const result = step.success ? "ok" : "FAILED";
  const head = `${step.step}. +${step.at_seconds.toFixed(1)} s  ${step.tool}  ${subjectOf(step)}  ${result} (${step.took_seconds.toFixed(1)} s)`;
  const part = (title: string, text: string | undefined) =>
    text === undefined || text.trim() === "" ? [] : [`   ${title}: ${oneLine(text)}`];
  const output = [step.error, step.output]
    .filter((text): text is string => text !== undefined && text.trim() !== "")
    .flatMap((text) => withoutControls(text).trimEnd().split("\n"));
  const hidden = output.length - maxOutputLines;
  return [
    oneLine(head),
    ...part("why", step.reasoning),
    ...part("expected", step.expected_outcome),
    ...output.slice(0, maxOutputLines).map((line) => `   | ${line}`),
    ...(hidden > 0 ? [`   | … ${hidden} more lines`] : []),
    "",
  ]
    .map(fit)
    .join("\n");
}
