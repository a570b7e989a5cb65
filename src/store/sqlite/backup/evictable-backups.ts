import type { Backup } from "../backup-files.js";

const newestKept = 2;
const otherDaysKept = 2;

/**
 * Which backups may go: kept are the newest, the last one of the days before, and the fullest, so that neither a clock nor a
 * database that lost its records evicts them. Expects the newest first.
 */
export function evictable(backups: readonly Backup[]): Backup[] {
  const kept = new Set(backups.slice(0, newestKept));
  const days = new Set([...kept].map(({ date }) => date));
  for (const backup of backups.slice(newestKept)) {
    if (days.has(backup.date) || days.size > otherDaysKept) continue;
    days.add(backup.date);
    kept.add(backup);
  }
  const fullest = backups.reduce<Backup | undefined>(
    (best, backup) => ((backup.content ?? 0) > (best?.content ?? 0) ? backup : best),
    undefined,
  );
  if (fullest !== undefined) kept.add(fullest);
  return backups.filter((backup) => !kept.has(backup));
}
