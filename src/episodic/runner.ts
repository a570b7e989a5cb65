import { hostname } from "node:os";
import type { Runner } from "../domain/attempt.js";
import { isSystemError } from "../domain/ralph-error.js";

/** A process of this machine, for a record that others can check. */
export function runnerOf(pid: number): Runner {
  return { pid, host: hostname() };
}

/** True when it is known that the process has ended; one on another machine may still run. */
export function isGone(runner: Runner | undefined): boolean {
  if (runner === undefined || runner.host !== hostname()) return false;
  try {
    process.kill(runner.pid, 0);
    return false;
  } catch (error) {
    return isSystemError(error, "ESRCH");
  }
}
