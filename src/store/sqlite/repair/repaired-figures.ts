import type { canonicalTables } from "../../tables.js";
import type { SqliteDatabase } from "../sqlite-driver.js";
import { kindOf } from "./record-words.js";

type Table = (typeof canonicalTables)[number];

/** What was made of one kind of record. */
export interface RepairedKind {
  /** In the singular, such as "task". */
  kind: string;
  fromDatabase: number;
  fromBackups: number;
  /** At least so many are gone, as far as numbers, indexes and counts tell. */
  lost: number;
  /** Neither the table nor one of its indexes could be read in full, so there may have been more. */
  isUncounted: boolean;
}

export interface TableFigures {
  table: Table;
  fromDatabase: number;
  fromBackups: number;
  isComplete: boolean;
  /** Rows that an index of the damaged table lists. */
  listed: number | undefined;
  /** Rows that were left out because the record they belong to is gone. */
  orphans: number;
}

/** Queries for records that must have been there: a number is missing in a table that nothing is deleted from, or a count. */
const knownQueries: Partial<Record<Table, string>> = {
  tasks: `SELECT max((SELECT ifnull(max(number), 0) FROM tasks), (SELECT ifnull(max(task_number), 0) FROM attempts),
    (SELECT ifnull(max(task_number), 0) FROM runs)) AS known`,
  attempts: `SELECT max((SELECT ifnull(sum(total_attempts), 0) FROM tasks), (SELECT ifnull(max(attempt_key), 0) FROM attempts),
    (SELECT ifnull(max(attempt_key), 0) FROM actions)) AS known`,
  actions: `SELECT ifnull(sum(actions_performed), 0) AS known FROM attempts
    WHERE attempt_key NOT IN (SELECT attempt_key FROM packed_actions)`,
  milestones: "SELECT ifnull(max(milestone_key), 0) AS known FROM milestones",
  reflections: "SELECT ifnull(max(reflection_key), 0) AS known FROM reflections",
  capacity_changes: "SELECT ifnull(max(change_key), 0) AS known FROM capacity_changes",
  briefs: "SELECT ifnull(max(brief_key), 0) AS known FROM briefs",
  handoffs: "SELECT ifnull(max(number), 0) AS known FROM handoffs",
  runs: "SELECT ifnull(max(run_key), 0) AS known FROM runs",
};

/** Counts before rows without their parents are removed: they tell of parents that are gone. */
export function countKnown(target: SqliteDatabase): Map<Table, number> {
  return new Map(
    Object.entries(knownQueries).map(([table, query]) => [
      table as Table,
      (target.prepare(query).get() as { known: number }).known,
    ]),
  );
}

/** By kind, without those of which nothing was there. */
export function figuresByKind(
  figures: readonly TableFigures[],
  knownRows: Map<Table, number>,
): RepairedKind[] {
  const byKind = new Map<string, RepairedKind>();
  for (const { table, fromDatabase, fromBackups, isComplete, listed, orphans } of figures) {
    const kept = fromDatabase + fromBackups - orphans;
    const known = isComplete ? 0 : (knownRows.get(table) ?? 0);
    const expected = Math.max(listed ?? 0, known, kept + orphans);
    const kind = kindOf(table);
    const before = byKind.get(kind) ?? { kind, fromDatabase: 0, fromBackups: 0, lost: 0, isUncounted: false };
    byKind.set(kind, {
      kind,
      fromDatabase: before.fromDatabase + fromDatabase,
      fromBackups: before.fromBackups + fromBackups,
      lost: before.lost + Math.max(0, expected - kept),
      isUncounted: before.isUncounted || (!isComplete && listed === undefined),
    });
  }
  return [...byKind.values()].filter(
    (one) => one.fromDatabase + one.fromBackups + one.lost > 0 || one.isUncounted,
  );
}
