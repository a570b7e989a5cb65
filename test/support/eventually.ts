import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const patienceMs = 30_000;

/** Waits for something to be there. */
export async function eventually<Value>(
  find: () => Value | undefined | false,
  complaint: () => string = () => "it did not happen",
): Promise<Value> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(complaint());
    await pause(10);
  }
}

export const fileAppears = (path: string) => eventually(() => existsSync(path));
