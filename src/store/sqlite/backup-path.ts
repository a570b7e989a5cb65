import { join } from "node:path";
import { isoDate } from "../../domain/clock.js";

export function backupDirectory(directory: string): string {
  return join(directory, "backups");
}

/** The backup of one day. */
export function backupPath(directory: string, day: Date): string {
  return join(backupDirectory(directory), `memory-${isoDate(day)}.db`);
}
