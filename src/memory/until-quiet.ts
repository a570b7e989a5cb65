import { type Stats, statSync } from "node:fs";
import { withFileErrors } from "../files/file-problem.js";
import { stampFile } from "../files/file-stamp.js";
import type { Repositories } from "../store/store.js";
import type { NotesFile } from "./place.js";

const quietMs = 40;
const longestWaitMs = 1000;

function findStats(path: string): Stats | undefined {
  return withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }));
}

/**
 * Waits while somebody else is writing to the file: many editors empty it first and fill it then, and what they write
 * after we have renamed ours over it would be lost. A file that stays empty for a second was emptied on purpose.
 */
export async function untilQuiet(tx: Repositories, file: NotesFile): Promise<void> {
  const known = await tx.noteFiles.find(file.name);
  for (const deadline = Date.now() + longestWaitMs; Date.now() < deadline; ) {
    // Only our own writes leave no digest.
    const isOurs = known?.digest === null && known.stamp === stampFile(file.path);
    const stats = isOurs ? undefined : findStats(file.path);
    if (stats === undefined) return;
    const ageMs = Date.now() - stats.mtimeMs;
    if (ageMs > (stats.size === 0 ? longestWaitMs : quietMs) || ageMs < 0) return;
    await new Promise((done) => setTimeout(done, quietMs / 4));
  }
}
