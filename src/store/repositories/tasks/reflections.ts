import type { Reflection } from "../../../domain/tasks/reflection.js";
import { taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import { noLimit, placeholders, type Sql, type SqlValue } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";

export interface StoredReflection extends Reflection {
  key: number;
}

interface ReflectionRow extends Omit<Reflection, "task_id" | "action_items" | "cost"> {
  reflection_key: number;
  task_number: number;
  action_items: string;
  cost: string | null;
}

const columns =
  "task_number, attempt_id, iteration, timestamp, observation, analysis, learning, action_items, triggered_by, reflection_type, effectiveness, rated_by, written_by, cost";

export type Reflections = ReturnType<typeof reflections>;

export function reflections(sql: Sql, { project }: Dialect) {
  const select = async (rest: string, ...values: SqlValue[]): Promise<StoredReflection[]> => {
    const rows = await sql.all<ReflectionRow>(
      `SELECT reflection_key, ${columns} FROM reflections WHERE ${project.owns("reflections")} ${rest}`,
      ...values,
    );
    return rows.map(toReflection);
  };

  return {
    record: (taskNumber: number, reflection: Reflection) =>
      sql.write(
        `INSERT INTO reflections (${project.column}${columns}) VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        taskNumber,
        reflection.attempt_id,
        reflection.iteration ?? null,
        reflection.timestamp,
        reflection.observation,
        reflection.analysis,
        reflection.learning,
        JSON.stringify(reflection.action_items),
        reflection.triggered_by,
        reflection.reflection_type,
        reflection.effectiveness ?? null,
        reflection.rated_by ?? null,
        reflection.written_by ?? null,
        reflection.cost === undefined ? null : JSON.stringify(reflection.cost),
      ),

    /** The last `limit`, or all; oldest first. */
    async listLast(taskNumber: number, limit = noLimit): Promise<StoredReflection[]> {
      return (
        await select("AND task_number = ? ORDER BY reflection_key DESC LIMIT ?", taskNumber, limit)
      ).reverse();
    },

    /** Oldest first. */
    listForTasks: (taskNumbers: readonly number[]) =>
      select(`AND task_number IN ${placeholders(taskNumbers)} ORDER BY reflection_key`, ...taskNumbers),

    listForAttempt: (taskNumber: number, attemptId: number) =>
      select("AND task_number = ? AND attempt_id = ? ORDER BY reflection_key", taskNumber, attemptId),

    /** Replaces the text of a reflection; its rating stays. */
    rewrite: (key: number, reflection: Reflection) =>
      sql.write(
        `UPDATE reflections SET observation = ?, analysis = ?, learning = ?, action_items = ?, written_by = ?, cost = ? WHERE ${project.owns("reflections")} AND reflection_key = ?`,
        reflection.observation,
        reflection.analysis,
        reflection.learning,
        JSON.stringify(reflection.action_items),
        reflection.written_by ?? null,
        reflection.cost === undefined ? null : JSON.stringify(reflection.cost),
        key,
      ),

    rate: (
      key: number,
      effectiveness: NonNullable<Reflection["effectiveness"]>,
      ratedBy: NonNullable<Reflection["rated_by"]>,
    ) =>
      sql.write(
        `UPDATE reflections SET effectiveness = ?, rated_by = ? WHERE ${project.owns("reflections")} AND reflection_key = ?`,
        effectiveness,
        ratedBy,
        key,
      ),

    /** How many of a task's reflections were written by a model. */
    async countByModels(taskNumber: number): Promise<number> {
      const row = await sql.get<{ count: number }>(
        `SELECT count(*) AS count FROM reflections WHERE ${project.owns("reflections")} AND task_number = ? AND cost IS NOT NULL`,
        taskNumber,
      );
      return row?.count ?? 0;
    },
  };
}

function toReflection({ reflection_key, task_number, ...row }: ReflectionRow): StoredReflection {
  const { cost, ...known } = withoutNulls(row);
  return {
    ...known,
    key: reflection_key,
    task_id: taskIdOf(task_number),
    action_items: parseStored(row.action_items) as string[],
    ...(cost && { cost: parseStored(cost) as NonNullable<Reflection["cost"]> }),
  };
}
