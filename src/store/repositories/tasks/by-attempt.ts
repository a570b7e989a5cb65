import type { ProjectFragments } from "../../dialect.js";

export interface AttemptKey {
  attempt_key: number;
}

/** A condition: the rows of all attempts at a task, whose number is the next value. */
export function ofTask(project: ProjectFragments): string {
  return `attempt_key IN (SELECT attempt_key FROM attempts WHERE ${project.owns("attempts")} AND task_number = ?)`;
}

/** The records of each attempt, in the order of their rows. */
export function byAttempt<Row extends AttemptKey, Record>(
  rows: readonly Row[],
  toRecord: (row: Omit<Row, "attempt_key">) => Record,
): Map<number, Record[]> {
  const records = new Map<number, Record[]>();
  for (const { attempt_key: key, ...row } of rows) {
    const known = records.get(key);
    if (known === undefined) records.set(key, [toRecord(row)]);
    else known.push(toRecord(row));
  }
  return records;
}
