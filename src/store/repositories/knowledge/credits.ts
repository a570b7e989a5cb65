import type { Brief, BriefRecord, Credit } from "../../../domain/knowledge/brief.js";
import type { Dialect } from "../../dialect.js";
import { inSixteens, placeholders, type Sql } from "../../sql.js";
import { tableOf } from "../table.js";

export interface CreditSum extends Pick<Credit, "record_id" | "task_type" | "succeeded" | "weight"> {
  /** Of all tasks of this type. */
  results: TaskResults;
}

type CreditSumRow = Omit<CreditSum, "results" | "succeeded"> & {
  succeeded: number;
  tasks: number | null;
  successes: number | null;
};

/** Finished tasks, and how many of them succeeded. */
export interface TaskResults {
  tasks: number;
  successes: number;
}

const columns = "record_id, task_id, task_type, weight, succeeded, reason, created";

export type Credits = ReturnType<typeof credits>;

/** What briefs showed to tasks, and how those tasks ended. */
export function credits(sql: Sql, dialect: Dialect) {
  const { project } = dialect;
  const table = tableOf(sql, dialect, "credits", { booleans: ["succeeded"] });
  const results = tableOf(sql, dialect, "task_results");
  const briefs = tableOf(sql, dialect, "briefs");
  return {
    async recordBrief({ task_id, created, isHoldout, records }: Brief): Promise<void> {
      await briefs.insert({ task_id, created, is_holdout: isHoldout });
      for (const [place, { id, kind }] of records.entries())
        await sql.write(
          `INSERT INTO brief_records (${project.column}brief_key, record_id, kind, place)
           SELECT ${project.value}max(brief_key), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS INTEGER) FROM briefs WHERE ${project.owns("briefs")}
           ON CONFLICT DO NOTHING`,
          id,
          kind,
          place + 1,
        );
    },

    /** Whether a task is a control task, as decided with its first brief; undefined before that. */
    async findHoldout(taskId: string): Promise<boolean | undefined> {
      const row = await briefs.get<{ is_holdout: number }>(
        "is_holdout",
        "AND task_id = ? ORDER BY brief_key LIMIT 1",
        taskId,
      );
      return row === undefined ? undefined : row.is_holdout === 1;
    },

    /** All records shown to a task; not those withheld from a control task. */
    listShown: (taskId: string) =>
      sql.all<BriefRecord>(
        `SELECT DISTINCT record_id AS id, kind FROM brief_records JOIN briefs ON briefs.brief_key = brief_records.brief_key
         WHERE ${project.owns("brief_records")} AND ${project.owns("briefs")} AND briefs.task_id = ? AND briefs.is_holdout = 0 ORDER BY record_id`,
        taskId,
      ),

    /** One credit per record and task; a new one replaces the old. */
    record: ({ record_id, task_id, task_type, weight, succeeded, reason, created }: Credit) =>
      table.save(["record_id", "task_id"], {
        ...{ record_id, task_id, task_type, weight, succeeded, reason, created },
      }),

    list: (recordId: string) => table.list<Credit>(columns, "AND record_id = ? ORDER BY created", recordId),

    /** What records are credited with, added up for each type of task and outcome; with how all tasks of that type went. */
    async sumForRecords(recordIds: readonly string[]): Promise<CreditSum[]> {
      if (recordIds.length === 0) return [];
      const asked = inSixteens(recordIds);
      const rows = await sql.all<CreditSumRow>(
        `WITH sums AS (SELECT record_id, task_type, succeeded, sum(weight) AS weight FROM credits
           WHERE ${project.owns("credits")} AND record_id IN ${placeholders(asked)} GROUP BY record_id, task_type, succeeded),
         results AS (SELECT task_type, count(*) AS tasks, sum(succeeded) AS successes FROM task_results
           WHERE ${project.owns("task_results")} AND task_type IN (SELECT task_type FROM sums) GROUP BY task_type)
         SELECT record_id, sums.task_type, succeeded, weight, tasks, successes
         FROM sums LEFT JOIN results ON results.task_type = sums.task_type`,
        ...asked,
      );
      return rows.map(({ tasks, successes, ...sum }) => ({
        ...sum,
        succeeded: sum.succeeded === 1,
        results: { tasks: tasks ?? 0, successes: successes ?? 0 },
      }));
    },

    /** The ids of all records that any outcome is credited to. */
    async listCredited(): Promise<string[]> {
      const rows = await table.all<{ id: string }>("DISTINCT record_id AS id", "ORDER BY record_id");
      return rows.map(({ id }) => id);
    },

    recordResult: (taskId: string, taskType: string, succeeded: boolean) =>
      results.save(["task_id"], { task_id: taskId, task_type: taskType, succeeded }),

    /** Finished tasks of a type, and how many of them succeeded. */
    async countResults(taskType: string): Promise<TaskResults> {
      const row = await results.get<{ tasks: number; successes: number | null }>(
        "count(*) AS tasks, sum(succeeded) AS successes",
        "AND task_type = ?",
        taskType,
      );
      return { tasks: row?.tasks ?? 0, successes: row?.successes ?? 0 };
    },
  };
}
