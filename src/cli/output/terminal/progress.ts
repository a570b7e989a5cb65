import type { Terminal } from "./terminal.js";

const quietMs = 1000;
const stepMs = 100;

/** Shows how far something long has come, where somebody watches and it takes more than a moment. */
export function progressOn(terminal: Terminal, what: string): (done: number, total: number) => void {
  const started = Date.now();
  let shown = 0;
  return (done, total) => {
    const now = Date.now();
    if (!terminal.isTalkWatched || now - started < quietMs) return;
    const isDone = done === total;
    if (!isDone && now - shown < stepMs) return;
    shown = now;
    terminal.talk(`\r${what}: ${done} of ${total}${isDone ? "\n" : ""}`);
  };
}
