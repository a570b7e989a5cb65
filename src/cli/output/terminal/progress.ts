import { renderDuration } from "../../../domain/duration.js";
import type { IngestProgress } from "../../../memory/ingest/ingest-transcripts.js";
import type { LoadProgress } from "../../../memory/records/record-verbs.js";
import type { Terminal } from "./terminal.js";

const delayMs = 1000;
const refreshMs = 100;
const megabyte = 1024 * 1024;

/** Shows a line on a terminal once work has taken a second, and then several times a second; the last one always. */
function openProgressLine(terminal: Terminal) {
  const started = Date.now();
  let shown = 0;
  return (isDone: boolean, line: (elapsedMs: number) => string) => {
    const now = Date.now();
    if (!terminal.isTalkWatched || now - started < delayMs) return;
    if (!isDone && now - shown < refreshMs) return;
    shown = now;
    terminal.talk(`\r\u001b[K${line(now - started)}${isDone ? "\n" : ""}`);
  };
}

export function progressOn(terminal: Terminal, what: string): (done: number, total: number) => void {
  const show = openProgressLine(terminal);
  return (done, total) => show(done === total, () => `${what}: ${done} of ${total}`);
}

/** Shows how many rows were loaded, how fast, and how long the rest will take. */
export function rateOn(terminal: Terminal, total: number): (progress: LoadProgress) => void {
  const show = openProgressLine(terminal);
  return ({ what, done }) => {
    if (what === "index") show(false, () => `Indexing: ${done}`);
    else
      show(done >= total, (elapsedMs) => {
        const perSecond = (done * 1000) / elapsedMs;
        const left = timeLeft((total - done) / perSecond);
        return `Records: ${done} of ${total}, ${Math.round(perSecond)}/s${left}`;
      });
  };
}

/** Shows how many sessions were read, how fast, and how long the rest will take. */
export function showIngesting(terminal: Terminal): (progress: IngestProgress) => void {
  const show = openProgressLine(terminal);
  return ({ done, total, bytes, totalBytes }) =>
    show(done === total, (elapsedMs) => {
      const perSecond = (bytes * 1000) / elapsedMs;
      const left = timeLeft((totalBytes - bytes) / perSecond);
      return `Sessions: ${done} of ${total}, ${(perSecond / megabyte).toFixed(1)} MB/s${left}`;
    });
}

function timeLeft(seconds: number): string {
  return seconds > 0 && Number.isFinite(seconds) ? `, ${renderDuration(seconds * 1000)} left` : "";
}
