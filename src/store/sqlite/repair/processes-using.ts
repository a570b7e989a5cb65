import { existsSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isSystemError, RalphError } from "../../../domain/ralph-error.js";

/** Another process with the database open would keep writing to the damaged file. */
export function refuseWhileInUse(path: string): void {
  const user = processesUsing(path).find((pid) => pid !== process.pid);
  if (user === undefined) return;
  throw new RalphError("store-busy", `The database is in use by process ${user}: ${path}`, {
    hint: "stop that process, then run the repair again",
  });
}

/** Works on Linux only; empty elsewhere. */
function processesUsing(path: string): number[] {
  if (process.platform !== "linux" || !existsSync(path)) return [];
  const target = realpathSync(path);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => openFiles(pid).includes(target))
    .map(Number);
}

function openFiles(pid: string): string[] {
  const directory = join("/proc", pid, "fd");
  try {
    return readdirSync(directory).map((name) => readlinkSync(join(directory, name)));
  } catch (error) {
    // The process has ended, or belongs to another user.
    if (isSystemError(error, "ENOENT", "EACCES", "EPERM", "ESRCH")) return [];
    throw error;
  }
}
