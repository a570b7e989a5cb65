import { RalphError } from "../../../domain/ralph-error.js";
import type { LoopEvent } from "../../../loop/loop-event.js";
import { type LoopInput, runLoop } from "../../../loop/run-loop.js";
import type { Memory } from "../../../memory/memory.js";
import type { Invocation, OptionSpecs } from "../../framework/command.js";
import { listenForStop } from "../../input/stop-signals.js";
import { openRunProgress } from "../../output/run-progress.js";
import type { Terminal } from "../../output/terminal/terminal.js";

/** Runs the loop with progress output, and returns the exit code. */
export async function runOnTerminal(
  { terminal, format, environment }: Pick<Invocation<OptionSpecs>, "terminal" | "format" | "environment">,
  memory: Memory,
  input: LoopInput,
): Promise<number> {
  const columns = Number.isFinite(terminal.width) ? terminal.width : 120;
  const screen = ignoringWriteErrors(terminal);
  const progress = openRunProgress(screen, columns);
  const emit = (event: LoopEvent) => {
    if (format === "json") screen.out(Buffer.from(`${JSON.stringify(event)}\n`));
    else progress.show(event);
  };
  const { stop, kill, close } = listenForStop(() => {
    if (format !== "json") progress.print("Stopping: waiting for the agent to exit; press again to kill it");
  });
  try {
    const { exitStatus } = await runLoop(
      { memory, root: memory.project.root, environment, clock: () => new Date(), emit, stop, kill },
      input,
    );
    return exitStatus;
  } finally {
    close();
    progress.close();
  }
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
