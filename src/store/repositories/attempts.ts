import type { Attempt, EncounteredError, Outcome, Plan, QualityPoint, Runner } from "../../domain/attempt.js";
import { taskIdOf } from "../../domain/task.js";
import type { Sql } from "../sql.js";
import { withoutNulls } from "../without-nulls.js";

export interface StoredAttempt extends Attempt {
  key: number;
  runner?: Runner;
}

export interface NewAttempt {
  taskNumber: number;
  id: number;
  started: string;
  plan: Plan;
  agent?: string | undefined;
  runner?: Runner | undefined;
}

export interface AttemptEnd {
  ended: string;
  outcome: Outcome;
  errors: readonly EncounteredError[];
  artifacts: readonly string[];
  gitCommit?: string | undefined;
}

interface AttemptRow {
  attempt_key: number;
  task_number: number;
  id: number;
  started: string;
  ended: string | null;
  plan: string;
  agent: string | null;
  runner: string | null;
  iterations: number;
  actions_performed: number;
  outcome: string | null;
  errors: string;
  artifacts: string;
  git_commit: string | null;
}

const columns =
  "attempt_key, task_number, id, started, ended, plan, agent, runner, iterations, actions_performed, outcome, errors, artifacts, git_commit";

export type Attempts = ReturnType<typeof attempts>;

export function attempts(sql: Sql) {
  const qualityOf = async (attemptKey: number): Promise<QualityPoint[]> => {
    const rows = await sql.all<{ iteration: number; quality: number }>(
      "SELECT iteration, quality FROM quality_points WHERE attempt_key = ? ORDER BY iteration",
      attemptKey,
    );
    return rows.map(({ iteration, quality }, index) => {
      return { iteration, quality, delta: quality - (rows[index - 1]?.quality ?? 0) };
    });
  };

  const toAttempt = async (row: AttemptRow): Promise<StoredAttempt> => {
    const known = withoutNulls(row);
    return {
      key: known.attempt_key,
      id: known.id,
      task_id: taskIdOf(known.task_number),
      started: known.started,
      ...(known.ended && { ended: known.ended }),
      plan: JSON.parse(known.plan) as Plan,
      execution: {
        ...(known.agent && { agent: known.agent }),
        iterations: known.iterations,
        actions_performed: known.actions_performed,
        quality_history: await qualityOf(known.attempt_key),
      },
      ...(known.outcome && { outcome: JSON.parse(known.outcome) as Outcome }),
      errors_encountered: JSON.parse(known.errors) as EncounteredError[],
      artifacts_produced: JSON.parse(known.artifacts) as string[],
      ...(known.git_commit && { git_commit: known.git_commit }),
      ...(known.runner && { runner: JSON.parse(known.runner) as Runner }),
    };
  };

  return {
    async add(attempt: NewAttempt): Promise<void> {
      await sql.run(
        `INSERT INTO attempts (task_number, id, started, plan, agent, runner, iterations, actions_performed, errors, artifacts)
         VALUES (?, ?, ?, ?, ?, ?, 0, 0, '[]', '[]')`,
        attempt.taskNumber,
        attempt.id,
        attempt.started,
        JSON.stringify(attempt.plan),
        attempt.agent ?? null,
        attempt.runner === undefined ? null : JSON.stringify(attempt.runner),
      );
    },

    async find(taskNumber: number, id: number): Promise<StoredAttempt | undefined> {
      const row = await sql.get<AttemptRow>(
        `SELECT ${columns} FROM attempts WHERE task_number = ? AND id = ?`,
        taskNumber,
        id,
      );
      return row && toAttempt(row);
    },

    async list(taskNumber: number): Promise<StoredAttempt[]> {
      const rows = await sql.all<AttemptRow>(
        `SELECT ${columns} FROM attempts WHERE task_number = ? ORDER BY id`,
        taskNumber,
      );
      return Promise.all(rows.map(toAttempt));
    },

    countActions: (attemptKey: number, count: number, highestIteration: number) =>
      sql.run(
        `UPDATE attempts SET actions_performed = actions_performed + ?,
           iterations = CASE WHEN iterations < ? THEN ? ELSE iterations END WHERE attempt_key = ?`,
        count,
        highestIteration,
        highestIteration,
        attemptKey,
      ),

    recordQuality: (attemptKey: number, iteration: number, quality: number) =>
      sql.run(
        `INSERT INTO quality_points (attempt_key, iteration, quality) VALUES (?, ?, ?)
         ON CONFLICT (attempt_key, iteration) DO UPDATE SET quality = excluded.quality`,
        attemptKey,
        iteration,
        quality,
      ),

    end: (attemptKey: number, { ended, outcome, errors, artifacts, gitCommit }: AttemptEnd) =>
      sql.run(
        "UPDATE attempts SET ended = ?, outcome = ?, errors = ?, artifacts = ?, git_commit = ? WHERE attempt_key = ?",
        ended,
        JSON.stringify(outcome),
        JSON.stringify(errors),
        JSON.stringify(artifacts),
        gitCommit ?? null,
        attemptKey,
      ),
  };
}
