import { WriteStream } from "node:tty";
import type { LoopEvent } from "../../../loop/loop-event.js";
import { withoutControls } from "../../../text/control-characters.js";
import { defuseChatMarkup } from "../../../text/fence/chat-markup.js";
import type { Terminal } from "../terminal/terminal.js";
import { openLiveRegion } from "./live-region.js";
import type { DisplayOptions, RunDisplay } from "./run-display.js";
import {
  linesOf,
  renderEnd,
  rowsOf,
  type ShownLine,
  shownLine,
  stoppingText,
  type Tone,
} from "./run-lines.js";
import { openRunStatus } from "./run-status.js";

const refreshMs = 200;
const leastRowsForTwo = 6;

const codes: Record<Tone, string> = {
  plain: "",
  good: "32",
  bad: "31",
  warning: "33",
  faint: "2",
  strong: "1",
};

/** What scrolls by is written above a region that shows what happens now. */
export function openLiveDisplay(terminal: Terminal, { volume, environment }: DisplayOptions): RunDisplay {
  const hasColor = terminal.isScreen ? terminal.hasColor : !environment.NO_COLOR;
  const screen = sizeOf(environment);
  const status = openRunStatus(Date.now());
  const region = openLiveRegion((text) => terminal.talk(Buffer.from(text)), screen.columns);

  const paint = (text: string, tone: Tone) =>
    hasColor && codes[tone] !== "" ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text;
  const regionRows = () => {
    const rows = status.rows(Date.now(), screen.columns() - 1);
    const fitting = screen.rows() < leastRowsForTwo ? rows.slice(0, 1) : rows;
    return fitting.map((row) => paint(row, "faint"));
  };
  const print = (lines: readonly ShownLine[]) => {
    const above = lines
      .flatMap((line) => rowsOf(line, screen.columns() - 1).map((row) => ({ row, tone: line.tone })))
      .map(({ row, tone }) => paint(defuseChatMarkup(withoutControls(row)), tone));
    region.update(regionRows(), above);
  };

  const timer = setInterval(() => region.update(regionRows()), refreshMs).unref();
  // Whatever ends the process, the terminal is left as it was.
  process.once("exit", region.clear);
  return {
    show(event: LoopEvent) {
      status.note(event, Date.now());
      const lines = linesOf(event, volume);
      if (event.event === "run-ended") {
        region.clear();
        terminal.out(renderEnd(event, terminal.isScreen ? terminal.width : Number.POSITIVE_INFINITY));
      } else if (lines.length > 0) print(lines);
    },
    stopping() {
      status.stopping(Date.now());
      print([shownLine(stoppingText, "warning")]);
    },
    close() {
      clearInterval(timer);
      region.clear();
      process.removeListener("exit", region.clear);
    },
  };
}

/** The size now: a window may be resized while the run goes on. `COLUMNS` may only make it narrower. */
function sizeOf({ COLUMNS: wished }: DisplayOptions["environment"]) {
  const stream: unknown = process.stderr;
  const watched = stream instanceof WriteStream ? stream : undefined;
  const most = Number(wished) > 0 ? Number(wished) : Number.POSITIVE_INFINITY;
  // Some terminals say that they have no columns.
  const real = () => watched?.columns || 80;
  return { columns: () => Math.max(2, Math.min(most, real())), rows: () => watched?.rows || 24 };
}
