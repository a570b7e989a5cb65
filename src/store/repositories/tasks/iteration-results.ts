import { type IterationResult, type QualityPoint, qualityPoints } from "../../../domain/tasks/attempt.js";
import type { Dialect } from "../../dialect.js";
import type { Sql, SqlValue } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";
import { type AttemptKey, byAttempt, ofTask } from "./by-attempt.js";

interface ResultRow extends Omit<IterationResult, "success"> {
  success: number | null;
}

const columns = "iteration, timestamp, success, quality, output, said, trouble";

export type IterationResults = ReturnType<typeof iterationResults>;

export function iterationResults(sql: Sql, { project }: Dialect) {
  return {
    /** Updates the given fields of an iteration and keeps the others. */
    record: (attemptKey: number, { iteration, timestamp, success, quality, ...texts }: IterationResult) =>
      sql.write(
        `INSERT INTO iteration_results (${project.column}attempt_key, iteration, timestamp, success, quality, output, said, trouble)
         VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (${project.column}attempt_key, iteration) DO UPDATE SET
           timestamp = coalesce(excluded.timestamp, iteration_results.timestamp),
           success = coalesce(excluded.success, iteration_results.success),
           quality = coalesce(excluded.quality, iteration_results.quality),
           output = coalesce(excluded.output, iteration_results.output),
           said = coalesce(excluded.said, iteration_results.said),
           trouble = coalesce(excluded.trouble, iteration_results.trouble)`,
        attemptKey,
        iteration,
        timestamp ?? null,
        success === undefined ? null : Number(success),
        quality ?? null,
        texts.output ?? null,
        texts.said ?? null,
        texts.trouble ?? null,
      ),

    /** By attempt, which a statement selects. Without the outputs, which are long: attempts are read for every log entry. */
    async listQualities(
      attemptKeys: string,
      values: readonly SqlValue[],
    ): Promise<Map<number, QualityPoint[]>> {
      const rated = await sql.all<{ attempt_key: number; iteration: number; quality: number }>(
        `SELECT attempt_key, iteration, quality FROM iteration_results
         WHERE ${project.owns("iteration_results")} AND attempt_key IN (${attemptKeys}) AND quality IS NOT NULL ORDER BY iteration`,
        ...values,
      );
      const ofAttempts = new Map<number, { iteration: number; quality: number }[]>();
      for (const { attempt_key: key, ...point } of rated)
        ofAttempts.set(key, [...(ofAttempts.get(key) ?? []), point]);
      return new Map([...ofAttempts].map(([key, points]) => [key, qualityPoints(points)]));
    },

    async list(attemptKey: number): Promise<IterationResult[]> {
      const rows = await sql.all<ResultRow>(
        `SELECT ${columns} FROM iteration_results WHERE ${project.owns("iteration_results")} AND attempt_key = ? ORDER BY iteration`,
        attemptKey,
      );
      return rows.map(toResult);
    },

    /** Without the texts. */
    async listVerdicts(attemptKey: number): Promise<IterationResult[]> {
      const rows = await sql.all<ResultRow>(
        `SELECT iteration, timestamp, success, quality FROM iteration_results
         WHERE ${project.owns("iteration_results")} AND attempt_key = ? ORDER BY iteration`,
        attemptKey,
      );
      return rows.map(toResult);
    },

    /** Of all attempts at a task, by attempt. */
    async listForTask(taskNumber: number): Promise<Map<number, IterationResult[]>> {
      const rows = await sql.all<ResultRow & AttemptKey>(
        `SELECT attempt_key, ${columns} FROM iteration_results WHERE ${project.owns("iteration_results")} AND ${ofTask(project)} ORDER BY iteration`,
        taskNumber,
      );
      return byAttempt(rows, toResult);
    },
  };
}

function toResult(row: ResultRow): IterationResult {
  const { success, ...known } = withoutNulls(row);
  return { ...known, ...(success !== undefined && { success: success === 1 }) };
}
