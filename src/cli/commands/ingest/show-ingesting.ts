import { renderDuration } from "../../../domain/duration.js";
import type { IngestProgress } from "../../../memory/ingest/ingest-transcripts.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const delayMs = 1000;
const refreshMs = 100;
const megabyte = 1024 * 1024;

/** On a terminal: how many sessions are done, how fast, and how long it still takes. */
export function showIngesting(terminal: Terminal): (progress: IngestProgress) => void {
  const started = Date.now();
  let shown = 0;
  return ({ done, total, bytes, totalBytes }) => {
    const now = Date.now();
    const isDone = done === total;
    if (!terminal.isTalkWatched || now - started < delayMs || (!isDone && now - shown < refreshMs)) return;
    shown = now;
    const rate = bytes / (now - started);
    const left = isDone || rate === 0 ? "" : `, ${renderDuration((totalBytes - bytes) / rate)} left`;
    const speed = ((rate * 1000) / megabyte).toFixed(1);
    terminal.talk(`\r\u001b[KSessions: ${done} of ${total}, ${speed} MB/s${left}${isDone ? "\n" : ""}`);
  };
}
