import type { CapacityChange } from "../../../domain/tasks/capacity-change.js";
import type { Sql } from "../../sql.js";

export type CapacityChanges = ReturnType<typeof capacityChanges>;

export function capacityChanges(sql: Sql) {
  return {
    record: (taskNumber: number, change: CapacityChange) =>
      sql.run(
        "INSERT INTO capacity_changes (task_number, attempt_id, timestamp, from_capacity, to_capacity, reason) VALUES (?, ?, ?, ?, ?, ?)",
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
         WHERE task_number = ? ORDER BY change_key`,
        taskNumber,
      ),
  };
}
