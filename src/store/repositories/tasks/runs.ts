import type { Runner } from "../../../domain/tasks/attempt.js";
import { leaseMs, type Run, type RunEnd, type RunOptions, type RunUsage } from "../../../domain/tasks/run.js";
import { taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect } from "../../dialect.js";
import type { Sql, SqlValue } from "../../sql.js";
import { tableOf } from "../table.js";

export interface NewRun {
  taskNumber: number;
  options: RunOptions;
  runner: Runner;
  started: string;
  /** Counts where the store has no clock of its own. */
  leaseUntil: string;
  madeBy?: string | undefined;
}

/** A row without its NULL columns. */
interface Row
  extends Pick<
    Run,
    "options" | "runner" | "lease_until" | "agent_process" | "started" | "ended" | "iterations"
  > {
  run_key: number;
  task_number: number;
  end_kind?: RunEnd["kind"];
  evidence?: string;
  input_tokens: number;
  output_tokens: number;
  cost_usd?: number;
  made_by?: string;
  read_at?: string;
}

export type Runs = ReturnType<typeof runs>;

/** Runs of the loop, so that others can see what is running and interrupted runs can be resumed. */
export function runs(sql: Sql, dialect: Dialect) {
  const { project, serverTime } = dialect;
  const table = tableOf(sql, dialect, "runs", { json: ["options", "runner", "agent_process"] });
  const columns = serverTime === undefined ? "*" : `*, ${serverTime(0)} AS read_at`;
  const select = async (rest: string, ...values: SqlValue[]): Promise<Run[]> =>
    (await table.list<Row>(columns, rest, ...values)).map(toRun);
  const lease = serverTime === undefined ? "?" : serverTime(leaseMs);
  const leaseValues = (until: string) => (serverTime === undefined ? [until] : []);
  const isUnfinished = "AND run_key = ? AND ended IS NULL";

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
        `UPDATE runs SET lease_until = ${lease} WHERE ${project.owns("runs")} ${isUnfinished}`,
        ...leaseValues(leaseUntil),
        id,
      )) > 0,

    saveAgent: (id: number, agent: Runner | undefined) =>
      table.update({ agent_process: agent }, isUnfinished, id),

    saveProgress: (id: number, iterations: number, { inputTokens, outputTokens, costUsd }: RunUsage) =>
      table.update(
        { iterations, input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd },
        isUnfinished,
        id,
      ),

    /** Does nothing if it has ended: the first end counts. */
    end: (id: number, { kind, evidence }: RunEnd, ended: string) =>
      table.update({ ended, end_kind: kind, evidence, agent_process: undefined }, isUnfinished, id),

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
  const { options, runner, lease_until, read_at, made_by, agent_process, started, ended, iterations } = row;
  return {
    id: row.run_key,
    task_id: taskIdOf(row.task_number),
    options,
    runner,
    ...(lease_until && { lease_until }),
    ...(read_at && { read_at }),
    ...(made_by && { made_by }),
    ...(agent_process && { agent_process }),
    started,
    ...(ended && { ended }),
    ...(row.end_kind && { end: { kind: row.end_kind, evidence: row.evidence ?? "" } }),
    iterations,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      ...(row.cost_usd !== undefined && { costUsd: row.cost_usd }),
    },
  };
}
