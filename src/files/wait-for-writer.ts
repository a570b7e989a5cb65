import { findStats } from "./find-stats.js";

const quietMs = 40;
const maxWaitMs = 1000;

/**
 * Waits while somebody else is writing to a file: many editors truncate it first and then fill it, and what they write
 * after our rename would be lost. A file that stays empty for a second was emptied on purpose.
 */
export async function waitForWriter(path: string, isOurs: () => boolean = () => false): Promise<void> {
  for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; ) {
    const stats = isOurs() ? undefined : findStats(path);
    if (stats === undefined) return;
    const ageMs = Date.now() - stats.mtimeMs;
    if (ageMs > (stats.size === 0 ? maxWaitMs : quietMs) || ageMs < 0) return;
    await new Promise((done) => setTimeout(done, quietMs / 4));
  }
}
