import { RalphError } from "../../../domain/ralph-error.js";
import type { LoopEvent } from "../../../loop/loop-event.js";
import { type LoopInput, runLoop } from "../../../loop/run-loop.js";
import type { Memory } from "../../../memory/memory.js";
import type { TrustRequest } from "../../../trust/request.js";
import { type Invocation, type OptionSpecs, type OptionValues, wrongUse } from "../../framework/command.js";
import { flag } from "../../framework/options.js";
import { canPrompt, confirm } from "../../input/ask.js";
import { openRunDisplay, type RunDisplay } from "../../output/run/run-display.js";
import type { Volume } from "../../output/run/run-lines.js";
import { printNotice } from "../../output/terminal/notices.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { renderRequests } from "../trust.js";

/** How much is shown of a run. */
export const volumeOptions = {
  quiet: flag("show only results", "q"),
  verbose: flag("also show each action of the agent, and its standard error"),
} as const satisfies OptionSpecs;

export function readVolume({ quiet, verbose }: OptionValues<typeof volumeOptions>): Volume {
  if (quiet && verbose) throw wrongUse("--quiet and --verbose cannot be combined");
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

/** Asks on a terminal whether to allow what the project asks for; elsewhere says what is left out. */
export async function askForTrust(
  memory: Memory,
  { terminal }: Pick<Invocation<OptionSpecs>, "terminal">,
  matters: (request: TrustRequest) => boolean,
): Promise<void> {
  const { refused } = await memory.settings();
  for (const key of refused) printNotice({ kind: "setting-refused", key }, terminal);
  const denied = (await memory.trust.list()).filter((request) => !request.isAllowed && matters(request));
  if (denied.length === 0) return;
  if (await canPrompt(terminal)) {
    terminal.talk(
      `This project asks for what Ralph does not do without your consent:\n\n${renderRequests(denied)}\n`,
    );
    if (await confirm("Allow it, until it changes?", terminal)) {
      await memory.trust.allow(denied);
      return;
    }
  }
  printNotice({ kind: "left-out", requests: denied }, terminal);
}

/** A run goes on for hours: it waits for a team's server that restarts or cannot be reached for a while. */
export const patienceOfRunMs = 15 * 60_000;

/** The first signal asks a long command to stop; the second kills it. */
interface StopSignals {
  stop: AbortSignal;
  kill: AbortSignal;
  close(): void;
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function listenForStop(onFirst: () => void): StopSignals {
  const stop = new AbortController();
  const kill = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) {
      kill.abort();
      return;
    }
    onFirst();
    stop.abort();
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  return {
    stop: stop.signal,
    kill: kill.signal,
    close() {
      for (const signal of stopSignals) process.removeListener(signal, onSignal);
    },
  };
}
