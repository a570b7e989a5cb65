import type { CapacityChange } from "../../../domain/tasks/attempt.js";
import type { Reflection } from "../../../domain/tasks/reflection.js";
import { taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect } from "../../dialect.js";
import { noLimit, type Sql, type SqlValue } from "../../sql.js";
import { tableOf } from "../table.js";

export interface StoredReflection extends Reflection {
  key: number;
}

const columns =
  "reflection_key AS key, task_number, attempt_id, iteration, timestamp, observation, analysis, learning, action_items, triggered_by, reflection_type, effectiveness, rated_by, written_by, cost";

type Row = Omit<StoredReflection, "task_id"> & { task_number: number };

export type Reflections = ReturnType<typeof reflections>;

export function reflections(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "reflections", { json: ["action_items", "cost"] });
  const select = async (rest: string, ...values: SqlValue[]) =>
    (await table.list<Row>(columns, rest, ...values)).map(toReflection);
  const textsOf = ({ observation, analysis, learning, action_items, written_by, cost }: Reflection) => {
    return { observation, analysis, learning, action_items, written_by, cost };
  };
  return {
    record: (taskNumber: number, reflection: Reflection) =>
      table.insert({
        task_number: taskNumber,
        attempt_id: reflection.attempt_id,
        iteration: reflection.iteration,
        timestamp: reflection.timestamp,
        triggered_by: reflection.triggered_by,
        reflection_type: reflection.reflection_type,
        effectiveness: reflection.effectiveness,
        rated_by: reflection.rated_by,
        ...textsOf(reflection),
      }),

    /** The last `limit`, or all; oldest first. */
    async listLast(taskNumber: number, limit = noLimit): Promise<StoredReflection[]> {
      return (
        await select("AND task_number = ? ORDER BY reflection_key DESC LIMIT ?", taskNumber, limit)
      ).reverse();
    },

    /** Oldest first. */
    async listForTasks(taskNumbers: readonly number[]): Promise<StoredReflection[]> {
      const rows = await table.listIn<Row>(columns, "task_number", taskNumbers, "ORDER BY reflection_key");
      return rows.map(toReflection);
    },

    listForAttempt: (taskNumber: number, attemptId: number) =>
      select("AND task_number = ? AND attempt_id = ? ORDER BY reflection_key", taskNumber, attemptId),

    /** Replaces the text of a reflection; its rating stays. */
    rewrite: (key: number, reflection: Reflection) =>
      table.update(textsOf(reflection), "AND reflection_key = ?", key),

    rate: (
      key: number,
      effectiveness: NonNullable<Reflection["effectiveness"]>,
      ratedBy: NonNullable<Reflection["rated_by"]>,
    ) => table.update({ effectiveness, rated_by: ratedBy }, "AND reflection_key = ?", key),

    /** How many of a task's reflections were written by a model. */
    countByModels: (taskNumber: number) =>
      table.count("AND task_number = ? AND cost IS NOT NULL", taskNumber),
  };
}

function toReflection({ task_number: number, ...row }: Row): StoredReflection {
  return { ...row, task_id: taskIdOf(number) };
}

export type CapacityChanges = ReturnType<typeof capacityChanges>;

export function capacityChanges(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "capacity_changes");
  return {
    record: (taskNumber: number, { attempt_id, timestamp, from, to, reason }: CapacityChange) =>
      table.insert({
        ...{ task_number: taskNumber, attempt_id, timestamp },
        ...{ from_capacity: from, to_capacity: to, reason },
      }),

    list: (taskNumber: number) =>
      table.list<CapacityChange>(
        'attempt_id, timestamp, from_capacity AS "from", to_capacity AS "to", reason',
        "AND task_number = ? ORDER BY change_key",
        taskNumber,
      ),
  };
}
