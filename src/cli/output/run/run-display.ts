import { lazyModule } from "../../../domain/lazy-module.js";
import type { LoopEvent } from "../../../loop/loop-event.js";
import type { Terminal } from "../terminal/terminal.js";
import { renderEnd } from "./render-end.js";
import { linesOf, stoppingText, type Volume } from "./run-lines.js";

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

const live = lazyModule(() => import("../live/live-display.js"));

/** With a live region at the bottom of a terminal, which is loaded only there; plain lines elsewhere. */
export async function openRunDisplay(terminal: Terminal, options: DisplayOptions): Promise<RunDisplay> {
  const isLive = terminal.isTalkWatched && options.environment.TERM !== "dumb" && options.volume !== "quiet";
  return isLive ? live.openLiveDisplay(terminal, options) : openPlainDisplay(terminal, options);
}

function openPlainDisplay(terminal: Terminal, { volume }: DisplayOptions): RunDisplay {
  const columns = terminal.isScreen ? terminal.width : Number.POSITIVE_INFINITY;
  return {
    show(event) {
      if (event.event === "run-ended") terminal.out(renderEnd(event, columns));
      const lines = linesOf(event, volume).map(({ margin, text }) => `${margin}${text}`.trimEnd());
      if (lines.length > 0) terminal.talk(`${lines.join("\n")}\n`);
    },
    stopping: () => terminal.talk(`${stoppingText}\n`),
    close: () => undefined,
  };
}
