import type { Reflection } from "../../domain/reflection.js";
import { taskIdOf } from "../../domain/task.js";
import { noLimit, type Sql } from "../sql.js";
import { withoutNulls } from "../without-nulls.js";

interface ReflectionRow extends Omit<Reflection, "task_id" | "action_items"> {
  task_number: number;
  action_items: string;
}

const columns =
  "task_number, attempt_id, iteration, timestamp, observation, analysis, learning, action_items, triggered_by, reflection_type, effectiveness";

export type Reflections = ReturnType<typeof reflections>;

export function reflections(sql: Sql) {
  return {
    record: (taskNumber: number, reflection: Reflection) =>
      sql.run(
        `INSERT INTO reflections (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      ),

    /** All, or the last so many; oldest first. */
    async listLast(taskNumber: number, limit = noLimit): Promise<Reflection[]> {
      const rows = await sql.all<ReflectionRow>(
        `SELECT ${columns} FROM reflections WHERE task_number = ? ORDER BY reflection_key DESC LIMIT ?`,
        taskNumber,
        limit,
      );
      return rows.reverse().map(toReflection);
    },
  };
}

function toReflection({ task_number, ...row }: ReflectionRow): Reflection {
  const known = withoutNulls(row);
  return { ...known, task_id: taskIdOf(task_number), action_items: JSON.parse(row.action_items) as string[] };
}
