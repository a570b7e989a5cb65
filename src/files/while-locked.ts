import { isSystemError } from "../domain/ralph-error.js";

const patienceMs = 1000;
const pauseMs = 20;

/**
 * On Windows a file cannot be renamed for as long as another program, such as a virus scanner, has it open: the work is tried again
 * for a second. Elsewhere it runs once.
 */
export function whileLocked<Result>(work: () => Result, isOnWindows = process.platform === "win32"): Result {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      return work();
    } catch (error) {
      const isLocked = isOnWindows && isSystemError(error, "EPERM", "EACCES", "EBUSY");
      if (!isLocked || waitedMs >= patienceMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
