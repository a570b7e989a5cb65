import type { Runner } from "../../../domain/tasks/attempt.js";
import { leaseMs, type Run, type RunEnd, type RunOptions, type RunUsage } from "../../../domain/tasks/run.js";
import { taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import type { Sql, SqlValue } from "../../sql.js";

export interface NewRun {
  taskNumber: number;
  options: RunOptions;
  runner: Runner;
  started: string;
  /** Counts where the store has no clock of its own. */
  leaseUntil: string;
  madeBy?: string | undefined;
}

interface Row {
  run_key: number;
  task_number: number;
  options: string;
  runner: string;
  lease_until: string | null;
  agent_process: string | null;
  started: string;
  ended: string | null;
  end_kind: RunEnd["kind"] | null;
  evidence: string | null;
  iterations: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  made_by: string | null;
  read_at?: string;
}

export type Runs = ReturnType<typeof runs>;

/** Runs of the loop, so that others can see what is running and interrupted runs can be resumed. */
export function runs(sql: Sql, { project, serverTime }: Dialect) {
  const columns = serverTime === undefined ? "*" : `*, ${serverTime(0)} AS read_at`;
  const select = async (rest: string, ...values: SqlValue[]): Promise<Run[]> =>
    (await sql.all<Row>(`SELECT ${columns} FROM runs WHERE ${project.owns("runs")} ${rest}`, ...values)).map(
      toRun,
    );
  const lease = serverTime === undefined ? "?" : serverTime(leaseMs);
  const leaseValues = (until: string) => (serverTime === undefined ? [until] : []);

  return {
    add({ taskNumber, options, runner, started, leaseUntil, madeBy }: NewRun): Promise<number> {
      return sql.insert(
        "run_key",
        `INSERT INTO runs (${project.column}task_number, options, runner, started, made_by, lease_until, iterations, input_tokens, output_tokens)
         VALUES (${project.value}?, ?, ?, ?, ?, ${lease}, 0, 0, 0)`,
        taskNumber,
        JSON.stringify(options),
        JSON.stringify(runner),
        started,
        madeBy ?? null,
        ...leaseValues(leaseUntil),
      );
    },

    async find(id: number): Promise<Run | undefined> {
      return (await select("AND run_key = ?", id))[0];
    },

    /** False if it has ended: somebody else may hold the task by now. */
    renew: async (id: number, leaseUntil: string) =>
      (await sql.run(
        `UPDATE runs SET lease_until = ${lease} WHERE ${project.owns("runs")} AND run_key = ? AND ended IS NULL`,
        ...leaseValues(leaseUntil),
        id,
      )) > 0,

    saveAgent: (id: number, agent: Runner | undefined) =>
      sql.write(
        `UPDATE runs SET agent_process = ? WHERE ${project.owns("runs")} AND run_key = ? AND ended IS NULL`,
        agent === undefined ? null : JSON.stringify(agent),
        id,
      ),

    saveProgress: (id: number, iterations: number, { inputTokens, outputTokens, costUsd }: RunUsage) =>
      sql.write(
        `UPDATE runs SET iterations = ?, input_tokens = ?, output_tokens = ?, cost_usd = ?
         WHERE ${project.owns("runs")} AND run_key = ? AND ended IS NULL`,
        iterations,
        inputTokens,
        outputTokens,
        costUsd ?? null,
        id,
      ),

    /** Does nothing if it has ended: the first end counts. */
    end: (id: number, { kind, evidence }: RunEnd, ended: string) =>
      sql.write(
        `UPDATE runs SET ended = ?, end_kind = ?, evidence = ?, agent_process = NULL
         WHERE ${project.owns("runs")} AND run_key = ? AND ended IS NULL`,
        ended,
        kind,
        evidence,
        id,
      ),

    /** When something about a task was last recorded. */
    async lastRecorded(taskNumber: number): Promise<string> {
      const row = await sql.get<{ last: string | null }>(
        `SELECT max(time) AS last FROM (
           SELECT updated AS time FROM tasks WHERE ${project.owns("tasks")} AND number = ?
           UNION ALL SELECT started FROM runs WHERE ${project.owns("runs")} AND task_number = ?
           UNION ALL SELECT max(actions.timestamp) FROM actions JOIN attempts USING (attempt_key)
             WHERE ${project.owns("actions")} AND ${project.owns("attempts")} AND task_number = ?
           UNION ALL SELECT max(results.timestamp) FROM iteration_results AS results JOIN attempts USING (attempt_key)
             WHERE ${project.owns("results")} AND ${project.owns("attempts")} AND task_number = ?) AS times`,
        ...[taskNumber, taskNumber, taskNumber, taskNumber],
      );
      return row?.last ?? "";
    },

    /** Newest first. */
    listForTask: (taskNumber: number) => select("AND task_number = ? ORDER BY run_key DESC", taskNumber),

    /** Still running, or their process died before it could record the end; newest first. */
    listUnfinished: () => select("AND ended IS NULL ORDER BY run_key DESC"),

    /** The last run of each task. */
    listLastOfTasks: () =>
      select(
        `AND run_key IN (SELECT max(run_key) FROM runs WHERE ${project.owns("runs")} GROUP BY task_number) ORDER BY run_key`,
      ),

    async findLast(): Promise<Run | undefined> {
      return (await select("ORDER BY run_key DESC LIMIT 1"))[0];
    },
  };
}

function toRun(row: Row): Run {
  return {
    id: row.run_key,
    task_id: taskIdOf(row.task_number),
    options: parseStored(row.options) as RunOptions,
    runner: parseStored(row.runner) as Runner,
    ...(row.lease_until && { lease_until: row.lease_until }),
    ...(row.read_at && { read_at: row.read_at }),
    ...(row.made_by && { made_by: row.made_by }),
    ...(row.agent_process && { agent_process: parseStored(row.agent_process) as Runner }),
    started: row.started,
    ...(row.ended && { ended: row.ended }),
    ...(row.end_kind && { end: { kind: row.end_kind, evidence: row.evidence ?? "" } }),
    iterations: row.iterations,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      ...(row.cost_usd !== null && { costUsd: row.cost_usd }),
    },
  };
}
