import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

const fileName = "ralph.log";
const maxBytes = 256 * 1024;
const maxLine = 1000;

/** Adds a line to the log of a memory, which has at most two files; a log that cannot be written to is no reason to fail. */
export function appendToLog(storeDirectory: string, text: string): void {
  if (!existsSync(storeDirectory)) return;
  const path = join(storeDirectory, fileName);
  const line = text.replace(/\s+/g, " ").slice(0, maxLine);
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
    appendFileSync(path, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
  } catch {
    // Nobody can be told.
  }
}
