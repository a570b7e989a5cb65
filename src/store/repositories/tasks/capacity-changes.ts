import type { CapacityChange } from "../../../domain/tasks/attempt.js";
import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";

export type CapacityChanges = ReturnType<typeof capacityChanges>;

export function capacityChanges(sql: Sql, { project }: Dialect) {
  return {
    record: (taskNumber: number, change: CapacityChange) =>
      sql.write(
        `INSERT INTO capacity_changes (${project.column}task_number, attempt_id, timestamp, from_capacity, to_capacity, reason) VALUES (${project.value}?, ?, ?, ?, ?, ?)`,
        taskNumber,
        change.attempt_id,
        change.timestamp,
        change.from,
        change.to,
        change.reason,
      ),

    list: (taskNumber: number) =>
      sql.all<CapacityChange>(
        `SELECT attempt_id, timestamp, from_capacity AS "from", to_capacity AS "to", reason FROM capacity_changes
         WHERE ${project.owns("capacity_changes")} AND task_number = ? ORDER BY change_key`,
        taskNumber,
      ),
  };
}
