import { firstProvisional } from "../../../domain/tasks/task.js";
import type { Backup } from "../backup-files.js";
import { listBackups } from "../backup-files.js";
import type { SqliteDatabase, SqliteEngine } from "../sqlite-driver.js";
import { openIntact } from "./open-intact.js";

/** Tables that nothing is deleted from, with what tells their records apart. Tasks are gone once a team's server has them. */
const lastingTables = {
  tasks: { key: "uuid", isLasting: `number < ${firstProvisional}` },
  attempts: { key: "attempt_key", isLasting: `task_number < ${firstProvisional}` },
  handoffs: { key: "number", isLasting: "TRUE" },
  runs: { key: "run_key", isLasting: `task_number < ${firstProvisional}` },
  reflections: { key: "reflection_key", isLasting: `task_number < ${firstProvisional}` },
} as const;

/** The newest backup with records that the database lacks: another program put an older copy in its place. */
export interface LackingRecords {
  backup: Backup;
  count: number;
}

export function findLackingRecords(
  engine: SqliteEngine,
  path: string,
  directory: string,
): LackingRecords | undefined {
  for (const backup of listBackups(directory)) {
    const database = openIntact(engine, backup.path);
    if (database === undefined) continue;
    try {
      const count = countLacking(database, path);
      if (count > 0) return { backup, count };
    } catch {
      // Of an earlier version.
    } finally {
      database.close();
    }
  }
  return undefined;
}

function countLacking(backup: SqliteDatabase, path: string): number {
  backup.prepare("ATTACH ? AS present").run(path);
  if (isUnrelated(backup, "present")) return 0;
  const counts = Object.entries(lastingTables).map(([table, { key, isLasting }]) => {
    const lacking = `SELECT count(*) AS count FROM main.${table} WHERE ${isLasting} AND ${key} NOT IN (SELECT ${key} FROM present.${table})`;
    return (backup.prepare(lacking).get() as { count: number }).count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Whether a number stands for another task in each of two databases, so that their records cannot be told apart. */
export function isUnrelated(database: SqliteDatabase, other: string): boolean {
  const clashes = `SELECT 1 FROM main.tasks AS ours JOIN ${other}.tasks AS theirs USING (number) WHERE ours.uuid <> theirs.uuid LIMIT 1`;
  return database.prepare(clashes).get() !== undefined;
}
