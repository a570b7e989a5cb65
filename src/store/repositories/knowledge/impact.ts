import { secondsBetween } from "../../../domain/clock.js";
import { interrupted, type Outcome } from "../../../domain/tasks/attempt.js";
import { taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect, ProjectFragments } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { parseStored } from "../../stored-text.js";
import { tableOf } from "../table.js";

/** How a finished task went, and how much of other tasks it was shown. */
export interface TaskFigures {
  task_id: string;
  /** When its last attempt ended. */
  finished: string;
  succeeded: boolean;
  iterations: number;
  /** Total time of its attempts. */
  seconds: number;
  final_quality?: number;
  /** Undefined before the first brief. */
  isHoldout: boolean | undefined;
  shownRecords: number;
  shownTasks: number;
}

/** How an attempt went, and what it knew of earlier ones. */
export interface AttemptFigures {
  task_id: string;
  attempt_id: number;
  succeeded: boolean;
  /** Whether the previous attempt failed; undefined for the first. */
  followsFailure: boolean | undefined;
  /** Number of reflections it started with. */
  reflections: number;
}

interface AttemptRow {
  task_number: number;
  id: number;
  started: string;
  ended: string;
  iterations: number;
  memory_capacity: number | null;
  outcome: string;
  earlier_reflections: number;
}

interface BriefRow {
  task_id: string;
  is_holdout: number;
  records: number;
  tasks: number;
}

export type Impact = ReturnType<typeof impact>;

/** Figures on whether memory helps. */
export function impact(sql: Sql, dialect: Dialect) {
  const { project } = dialect;
  // An attempt that Ralph started has a plan; sessions that were only read afterwards could not have been shown anything.
  const endedAttempts = (since: string) =>
    sql.all<AttemptRow>(
      `SELECT attempts.task_number, attempts.id, started, ended, iterations, attempts.memory_capacity, outcome,
         (SELECT count(*) FROM reflections WHERE ${project.owns("reflections")} AND reflections.task_number = attempts.task_number
           AND reflections.attempt_id < attempts.id
           AND (reflections.written_by IS DISTINCT FROM 'rules' OR reflections.analysis || reflections.learning <> ''
             OR reflections.action_items <> '[]')) AS earlier_reflections
       FROM attempts JOIN tasks ON tasks.number = attempts.task_number
       WHERE ${project.owns("attempts")} AND ${project.owns("tasks")} AND ended IS NOT NULL AND outcome IS NOT NULL AND plan_text IS NOT NULL AND tasks.created >= ?
       ORDER BY attempts.task_number, attempts.id`,
      since,
    );

  return {
    /** Attempts that were not interrupted. */
    async listAttempts(since: string): Promise<AttemptFigures[]> {
      const rows = (await endedAttempts(since)).filter((row) => outcomeOf(row)?.reason !== interrupted);
      return rows.map((row, index) => {
        const before = rows[index - 1];
        const isRetry = before?.task_number === row.task_number;
        return {
          task_id: taskIdOf(row.task_number),
          attempt_id: row.id,
          succeeded: statusOf(row) === "success",
          followsFailure: isRetry ? statusOf(before) !== "success" : undefined,
          reflections: Math.min(row.memory_capacity ?? 0, row.earlier_reflections),
        };
      });
    },

    /** Completed and failed tasks. */
    async listTasks(since: string): Promise<TaskFigures[]> {
      const finished = await tableOf(sql, dialect, "tasks").all<{ number: number; status: string }>(
        "number, status",
        "AND status IN ('completed', 'failed') AND created >= ? ORDER BY number",
        since,
      );
      const briefs = new Map((await listBriefs(sql, project)).map((row) => [row.task_id, row]));
      const attempts = byTask(await endedAttempts(since));
      return finished.flatMap(({ number, status }) => {
        const own = attempts.get(number);
        if (own === undefined) return [];
        const brief = briefs.get(taskIdOf(number));
        const quality = outcomeOf(own.at(-1))?.final_quality;
        return [
          {
            task_id: taskIdOf(number),
            finished: own.at(-1)?.ended ?? "",
            succeeded: status === "completed",
            iterations: own.reduce((sum, { iterations }) => sum + Math.max(1, iterations), 0),
            seconds: own.reduce((sum, { started, ended }) => sum + secondsBetween(started, ended), 0),
            ...(quality !== undefined && { final_quality: quality }),
            isHoldout: brief === undefined ? undefined : brief.is_holdout === 1,
            shownRecords: brief?.records ?? 0,
            shownTasks: brief?.tasks ?? 0,
          },
        ];
      });
    },

    countRatings: (since: string) =>
      tableOf(sql, dialect, "reflections").all<{ effectiveness: string; count: number }>(
        "effectiveness, count(*) AS count",
        "AND effectiveness IS NOT NULL AND timestamp >= ? GROUP BY effectiveness",
        since,
      ),
  };
}

function listBriefs(sql: Sql, project: ProjectFragments): Promise<BriefRow[]> {
  return sql.all<BriefRow>(
    `SELECT briefs.task_id AS task_id, min(briefs.is_holdout) AS is_holdout,
       count(DISTINCT brief_records.record_id) AS records,
       count(DISTINCT CASE WHEN brief_records.kind = 'task' THEN brief_records.record_id END) AS tasks
     FROM briefs LEFT JOIN brief_records ON brief_records.brief_key = briefs.brief_key AND ${project.owns("brief_records")}
     WHERE ${project.owns("briefs")} AND briefs.task_id IS NOT NULL GROUP BY briefs.task_id`,
  );
}

function byTask(rows: readonly AttemptRow[]): Map<number, AttemptRow[]> {
  const groups = new Map<number, AttemptRow[]>();
  for (const row of rows) {
    const group = groups.get(row.task_number);
    if (group === undefined) groups.set(row.task_number, [row]);
    else group.push(row);
  }
  return groups;
}

function outcomeOf(row: AttemptRow | undefined): Outcome | undefined {
  return row === undefined ? undefined : (parseStored(row.outcome) as Outcome);
}

function statusOf(row: AttemptRow | undefined): Outcome["status"] | undefined {
  return outcomeOf(row)?.status;
}
