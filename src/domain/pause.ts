/** Waits. `node:timers/promises` would be loaded by every hook, most of which wait for nothing. */
export function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, forMs);
  });
}
