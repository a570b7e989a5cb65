import type { Terminal } from "./terminal.js";

const delayMs = 1000;
const refreshMs = 100;

/** Shows progress on a terminal, for work that takes more than a second. */
export function progressOn(terminal: Terminal, what: string): (done: number, total: number) => void {
  const started = Date.now();
  let shown = 0;
  return (done, total) => {
    const now = Date.now();
    if (!terminal.isTalkWatched || now - started < delayMs) return;
    const isDone = done === total;
    if (!isDone && now - shown < refreshMs) return;
    shown = now;
    terminal.talk(`\r${what}: ${done} of ${total}${isDone ? "\n" : ""}`);
  };
}
