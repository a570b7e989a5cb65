import { type IterationResult, type QualityPoint, qualityPoints } from "../../../domain/tasks/attempt.js";
import type { Dialect } from "../../dialect.js";
import type { Sql, SqlValue } from "../../sql.js";
import { byAttempt, ofTask, tableOf } from "../table.js";

const columns = "iteration, timestamp, success, quality, output, said, trouble";

export type IterationResults = ReturnType<typeof iterationResults>;

export function iterationResults(sql: Sql, dialect: Dialect) {
  const { project } = dialect;
  const table = tableOf(sql, dialect, "iteration_results", { booleans: ["success"] });
  const fields = ["timestamp", "success", "quality", "output", "said", "trouble"];
  const merged = fields.map((field) => `${field} = coalesce(excluded.${field}, iteration_results.${field})`);
  return {
    /** Updates the given fields of an iteration and keeps the others. */
    record: (attemptKey: number, { iteration, timestamp, success, quality, ...texts }: IterationResult) =>
      sql.write(
        `INSERT INTO iteration_results (${project.column}attempt_key, ${columns})
         VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (${project.column}attempt_key, iteration) DO UPDATE SET ${merged.join(", ")}`,
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
      const rated = await table.all<{ attempt_key: number; iteration: number; quality: number }>(
        "attempt_key, iteration, quality",
        `AND attempt_key IN (${attemptKeys}) AND quality IS NOT NULL ORDER BY iteration`,
        ...values,
      );
      return new Map([...byAttempt(rated)].map(([key, points]) => [key, qualityPoints(points)]));
    },

    list: (attemptKey: number) =>
      table.list<IterationResult>(columns, "AND attempt_key = ? ORDER BY iteration", attemptKey),

    /** Without the texts. */
    listVerdicts: (attemptKey: number) =>
      table.list<IterationResult>(
        "iteration, timestamp, success, quality",
        "AND attempt_key = ? ORDER BY iteration",
        attemptKey,
      ),

    /** Of all attempts at a task, by attempt. */
    async listForTask(taskNumber: number): Promise<Map<number, IterationResult[]>> {
      return byAttempt(
        await table.list<IterationResult & { attempt_key: number }>(
          `attempt_key, ${columns}`,
          `${ofTask(dialect)} ORDER BY iteration`,
          taskNumber,
        ),
      );
    },
  };
}
