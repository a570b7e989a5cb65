import { type Stats, statSync } from "node:fs";
import { withFileErrors } from "./file-problem.js";

const quietMs = 40;
const longestWaitMs = 1000;

/**
 * Waits while somebody else is writing to a file: many editors empty it first and fill it then, and what they write
 * after we have renamed ours over it would be lost. A file that stays empty for a second was emptied on purpose.
 */
export async function untilAtRest(path: string, isOurs: () => boolean = () => false): Promise<void> {
  for (const deadline = Date.now() + longestWaitMs; Date.now() < deadline; ) {
    const stats = isOurs() ? undefined : findStats(path);
    if (stats === undefined) return;
    const ageMs = Date.now() - stats.mtimeMs;
    if (ageMs > (stats.size === 0 ? longestWaitMs : quietMs) || ageMs < 0) return;
    await new Promise((done) => setTimeout(done, quietMs / 4));
  }
}

function findStats(path: string): Stats | undefined {
  return withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }));
}
