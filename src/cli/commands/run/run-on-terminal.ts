import { RalphError } from "../../../domain/ralph-error.js";
import type { LoopEvent } from "../../../loop/loop-event.js";
import { type LoopInput, runLoop } from "../../../loop/run-loop.js";
import type { Memory } from "../../../memory/memory.js";
import type { Invocation, OptionSpecs, OptionValues } from "../../framework/command.js";
import { listenForStop } from "../../input/stop-signals.js";
import { openRunDisplay, type RunDisplay } from "../../output/run/run-display.js";
import type { Volume } from "../../output/run/run-lines.js";
import type { Terminal } from "../../output/terminal/terminal.js";

/** How much is shown of a run. */
export const volumeOptions = {
  quiet: { kind: "flag", short: "q", summary: "show only results" },
  verbose: { kind: "flag", summary: "also show each action of the agent, and its standard error" },
} as const satisfies OptionSpecs;

export function readVolume({ quiet, verbose }: OptionValues<typeof volumeOptions>): Volume {
  if (quiet && verbose) throw new RalphError("wrong-use", "--quiet and --verbose cannot be combined");
  return quiet ? "quiet" : verbose ? "verbose" : "normal";
}

/** Runs the loop, shows what happens, and returns the exit code. */
export async function runOnTerminal(
  { terminal, format, environment }: Pick<Invocation<OptionSpecs>, "terminal" | "format" | "environment">,
  memory: Memory,
  input: LoopInput,
  volume: Volume,
): Promise<number> {
  const screen = ignoringWriteErrors(terminal);
  const display =
    format === "json" ? showAsJson(screen) : await openRunDisplay(screen, { volume, environment });
  const { stop, kill, close } = listenForStop(display.stopping);
  try {
    const { exitStatus } = await runLoop(
      {
        ...{ memory, root: memory.project.root, environment, clock: () => new Date() },
        ...{ emit: display.show, stop, kill },
      },
      input,
    );
    return exitStatus;
  } finally {
    close();
    display.close();
  }
}

function showAsJson(terminal: Terminal): RunDisplay {
  return {
    show: (event: LoopEvent) => terminal.out(Buffer.from(`${JSON.stringify(event)}\n`)),
    stopping: () => undefined,
    close: () => undefined,
  };
}

/** A closed window or a full disk must not end an agent in the middle of its work. */
function ignoringWriteErrors(terminal: Terminal): Terminal {
  const tolerate =
    <Text>(write: (text: Text) => void) =>
    (text: Text) => {
      try {
        write(text);
      } catch (error) {
        if (!(error instanceof RalphError)) throw error;
      }
    };
  return { ...terminal, out: tolerate(terminal.out), talk: tolerate(terminal.talk) };
}
