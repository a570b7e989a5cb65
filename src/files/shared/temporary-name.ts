import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const temporarySuffix = ".ralph-tmp";
const leftoverAgeMs = 10 * 60 * 1000;

/** Says whose it is, and is never the name of another. */
export function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${Math.random().toString(36).slice(2)}${temporarySuffix}`;
}

/** What a process left that was killed while writing. */
export function removeLeftovers(directory: string, name: string): void {
  for (const entry of readdirSync(directory)) {
    if (!entry.startsWith(`.${name}.`) || !entry.endsWith(temporarySuffix)) continue;
    const path = join(directory, entry);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > leftoverAgeMs) rmSync(path, { force: true });
  }
}
