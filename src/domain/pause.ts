import { monotonicMs } from "./monotonic-ms.js";

/** Waits. `node:timers/promises` would be loaded by every hook, most of which wait for nothing. */
export function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, forMs);
  });
}

/**
 * Calls back at a time, by the clock that never jumps, if the process has come to wait for something by then. Most hooks never do, and
 * setting up a timer takes half a millisecond, so it is set up by the first wait.
 */
export function callIfWaiting(untilMs: number, late: () => void): void {
  setImmediate(() => setTimeout(late, untilMs - monotonicMs()));
}
