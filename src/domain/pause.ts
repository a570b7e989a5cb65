/** Waits. `node:timers/promises` would be loaded by every hook, most of which wait for nothing. */
export function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, forMs);
  });
}

/**
 * Calls back once the process comes to wait for something. Most hooks never do, and setting up a timer takes half a millisecond, so
 * a limit on time begins here.
 */
export function whenWaiting(begin: () => void): void {
  setImmediate(begin);
}
