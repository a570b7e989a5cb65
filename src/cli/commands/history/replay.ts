import { RalphError } from "../../../domain/ralph-error.js";
import type { Replay, ReplayStep } from "../../../episodic/history/replay-attempt.js";
import { counted } from "../../../text/counted.js";
import { isRedacted } from "../../../text/secrets/mark.js";
import { defineCommand } from "../../framework/command.js";
import { confirm } from "../../input/confirm.js";
import { renderIteration, renderStep } from "../../output/history/replay.js";
import { listedObjective } from "../../output/lists/listed-objective.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const longestPauseMs = 10_000;

export const replayCommand = defineCommand({
  summary: "step through an attempt's actions",
  description:
    "Shows each action with its reasoning, result and timing. Nothing is executed unless you pass --execute, which lists\n" +
    "the recorded shell commands, asks for confirmation, and runs them in the project's root.",
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: {
    attempt: { kind: "number", placeholder: "N", summary: "attempt to replay [default: the latest]" },
    from: { kind: "number", placeholder: "STEP", summary: "start at this step [default: 1]" },
    speed: {
      kind: "text",
      placeholder: "X",
      summary: "replay the original pauses X times as fast, each up to 10 s [default: no pauses]",
    },
    "dry-run": { kind: "flag", summary: "print the commands that --execute would run" },
    execute: { kind: "flag", summary: "run the recorded commands again" },
    yes: { kind: "flag", summary: "with --execute: do not ask for confirmation" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph replay task-001",
    "ralph replay task-001 --attempt 2 --from 5 --speed 10",
    "ralph replay task-001 --dry-run",
  ],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
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
      if (!options.execute) terminal.out(format === "json" ? renderJson(commands) : list);
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
    return 0;
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
  if (incomplete !== undefined) {
    throw new RalphError(
      "wrong-use",
      `Step ${incomplete.step} contained a secret, which is not recorded, so it cannot be run again`,
    );
  }
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
    const { spawnSync } = process.getBuiltinModule("node:child_process");
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
  throw new RalphError("wrong-use", `--speed takes a number greater than 0, not ${JSON.stringify(text)}`);
}
