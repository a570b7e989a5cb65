import type { IterationResult, QualityPoint } from "../../../domain/tasks/attempt.js";
import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";

interface ResultRow extends Omit<IterationResult, "success"> {
  success: number | null;
}

export type IterationResults = ReturnType<typeof iterationResults>;

export function iterationResults(sql: Sql, { project }: Pick<Dialect, "project">) {
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

    /** Without the outputs, which are long: attempts are read for every log entry. */
    async listQualities(attemptKey: number): Promise<QualityPoint[]> {
      const rated = await sql.all<{ iteration: number; quality: number }>(
        `SELECT iteration, quality FROM iteration_results WHERE ${project.owns("iteration_results")} AND attempt_key = ? AND quality IS NOT NULL ORDER BY iteration`,
        attemptKey,
      );
      return rated.map(({ iteration, quality }, index) => {
        return { iteration, quality, delta: difference(quality, rated[index - 1]?.quality ?? 0) };
      });
    },

    /** Whether the success of any iteration is known. */
    async hasVerdict(attemptKey: number): Promise<boolean> {
      const row = await sql.get<{ iteration: number }>(
        `SELECT iteration FROM iteration_results WHERE ${project.owns("iteration_results")} AND attempt_key = ? AND success IS NOT NULL LIMIT 1`,
        attemptKey,
      );
      return row !== undefined;
    },

    async list(attemptKey: number): Promise<IterationResult[]> {
      const rows = await sql.all<ResultRow>(
        `SELECT iteration, timestamp, success, quality, output, said, trouble FROM iteration_results
         WHERE ${project.owns("iteration_results")} AND attempt_key = ? ORDER BY iteration`,
        attemptKey,
      );
      return rows.map((row) => {
        const { success, ...known } = withoutNulls(row);
        return { ...known, ...(success !== undefined && { success: success === 1 }) };
      });
    },
  };
}

/** Without the last digits, which come from counting in binary: 0.6 − 0.4 is 0.2. */
function difference(quality: number, before: number): number {
  return Number((quality - before).toFixed(12));
}
