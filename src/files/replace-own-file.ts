import { renameSync, rmSync, writeFileSync } from "node:fs";
import { whileLocked } from "./while-locked.js";

/**
 * Replaces a small file that nobody but Ralph writes, in one step. It survives the end of the process at any moment, but not a loss
 * of power, for which `replaceFile` is.
 */
export function replaceOwnFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // Of a process that was killed, which had the same number.
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    whileLocked(() => renameSync(temporary, path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
