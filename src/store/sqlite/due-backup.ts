import type { Sql } from "../sql.js";
import type { Backup } from "./backup-files.js";

/** Tables with numbered rows; they grow with whatever is recorded. */
const numbered = ["tasks", "attempts", "actions", "reflections", "learnings", "briefs", "handoffs", "runs"];

const highestNumbers = `SELECT ${numbered.map((table) => `ifnull((SELECT max(rowid) FROM ${table}), 0)`).join(" + ")} AS content`;

/** How much was recorded: the sum of the highest numbers, each read from the end of its table. */
export async function measureContent(sql: Sql): Promise<number> {
  return (await sql.get<{ content: number }>(highestNumbers))?.content ?? 0;
}

/** On a busy day, so many more records; of a large database a twentieth, since a backup copies all of it. */
const fewestNew = 100;
const newShare = 0.05;

/**
 * By day and by content. Any other date is another day, so a clock that was wrong once delays nothing. An empty database
 * is never backed up over a filled one.
 */
export function isBackupDue(newest: Backup | undefined, date: string, content: number): boolean {
  if (newest === undefined) return true;
  const before = newest.content ?? 0;
  if (content === 0 && before > 0) return false;
  return newest.date !== date || content - before >= Math.max(fewestNew, before * newShare);
}
