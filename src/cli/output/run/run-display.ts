import type { LoopEvent } from "../../../loop/loop-event.js";
import type { Terminal } from "../terminal/terminal.js";
import { openLiveDisplay } from "./live-display.js";
import { linesOf, renderEnd, type ShownLine, shownLine, stoppingText, type Volume } from "./run-lines.js";

/** Shows what happens in a run. */
export interface RunDisplay {
  show(event: LoopEvent): void;
  /** The user asked the run to stop. */
  stopping(): void;
  close(): void;
}

export interface DisplayOptions {
  volume: Volume;
  environment: Readonly<Record<string, string | undefined>>;
}

/** With a live region at the bottom of a terminal, which is loaded only there; plain lines elsewhere. */
export async function openRunDisplay(terminal: Terminal, options: DisplayOptions): Promise<RunDisplay> {
  const isLive = terminal.isTalkWatched && options.environment.TERM !== "dumb" && options.volume !== "quiet";
  return isLive ? openLiveDisplay(terminal, options) : openPlainDisplay(terminal, options);
}

const maxCheckLines = 40;

/** Where nobody watches, a check's output is shown once it has failed, and only the end of a long one: it may be read by an agent. */
function openPlainDisplay(terminal: Terminal, { volume }: DisplayOptions): RunDisplay {
  const columns = terminal.isScreen ? terminal.width : Number.POSITIVE_INFINITY;
  let held: ShownLine[] = [];

  const heldEnd = (): ShownLine[] => {
    const [command, ...output] = held;
    const left = output.length - maxCheckLines;
    const note = shownLine(`… ${left} lines before (--verbose shows them)`, "faint", "    ");
    return [...(command ? [command] : []), ...(left > 0 ? [note] : []), ...output.slice(-maxCheckLines)];
  };
  const toPrint = (event: LoopEvent): ShownLine[] => {
    const lines = linesOf(event, volume);
    if (volume === "verbose") return lines;
    if (event.event === "verification-started") {
      held = lines;
      return [];
    }
    if (event.event === "output" && event.from === "check") {
      held.push(...lines);
      return [];
    }
    return event.event === "verification" && !event.passed ? [...heldEnd(), ...lines] : lines;
  };

  return {
    show(event) {
      if (event.event === "run-ended") terminal.out(renderEnd(event, columns));
      const lines = toPrint(event).map(({ margin, text }) => `${margin}${text}`.trimEnd());
      if (lines.length > 0) terminal.talk(`${lines.join("\n")}\n`);
    },
    stopping: () => terminal.talk(`${stoppingText}\n`),
    close: () => undefined,
  };
}
