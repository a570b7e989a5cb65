import { renderDuration } from "../../../domain/duration.js";
import type { LoadProgress } from "../../../memory/records/record-verbs.js";
import type { Terminal } from "./terminal.js";

const delayMs = 1000;
const refreshMs = 200;

/** On a terminal: how many rows were loaded, how fast, and how long it still takes. */
export function rateOn(terminal: Terminal, total: number): (progress: LoadProgress) => void {
  const started = Date.now();
  let shown = 0;
  return ({ what, done }) => {
    const now = Date.now();
    if (!terminal.isTalkWatched || now - started < delayMs) return;
    if (what === "records" && done < total && now - shown < refreshMs) return;
    shown = now;
    if (what === "index") {
      terminal.talk(`\r\u001b[KIndexing: ${done}`);
      return;
    }
    const perSecond = (done * 1000) / (now - started);
    const left = done >= total ? "" : `, ${renderDuration(((total - done) * 1000) / perSecond)} left`;
    terminal.talk(
      `\r\u001b[KRecords: ${done} of ${total}, ${Math.round(perSecond)}/s${left}${done >= total ? "\n" : ""}`,
    );
  };
}
