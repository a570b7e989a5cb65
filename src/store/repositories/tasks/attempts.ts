import { secondsBetween } from "../../../domain/clock.js";
import type {
  Attempt,
  EncounteredError,
  Outcome,
  Plan,
  QualityPoint,
  Runner,
} from "../../../domain/tasks/attempt.js";
import { taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect } from "../../dialect.js";
import type { Sql, SqlValue } from "../../sql.js";
import { tableOf } from "../table.js";
import { iterationResults } from "./iteration-results.js";

/** An attempt as stored: fields shared with its task are stored with the task. */
export interface StoredAttempt extends Omit<Attempt, "context"> {
  key: number;
  files: string[];
  runner?: Runner;
  /** The run that it is part of. */
  runKey?: number;
  /** When something was last recorded in it, and when this was read: by the clock of a team's server. */
  seenAt?: string;
  readAt?: string;
  /** The plan as given to the agent. */
  plan_text?: string;
  /** Shown instead of actions that have been archived. */
  actions_summary?: string;
}

export interface NewAttempt {
  taskNumber: number;
  id: number;
  started: string;
  plan: Plan;
  planText?: string | undefined;
  agent?: string | undefined;
  memoryCapacity?: number | undefined;
  runner?: Runner | undefined;
  runKey?: number | undefined;
  madeBy?: string | undefined;
}

export interface AttemptEnd {
  ended: string;
  outcome: Outcome;
  errors: readonly EncounteredError[];
  artifacts: readonly string[];
  files: readonly string[];
  gitCommit?: string | undefined;
}

/** A row without its NULL columns. */
interface AttemptRow {
  attempt_key: number;
  task_number: number;
  id: number;
  started: string;
  ended?: string;
  plan: Plan;
  plan_text?: string;
  agent?: string;
  memory_capacity?: number;
  runner?: Runner;
  run_key?: number;
  iterations: number;
  actions_performed: number;
  outcome?: Outcome;
  errors: EncounteredError[];
  artifacts: string[];
  files: string[];
  git_commit?: string;
  actions_summary?: string;
  made_by?: string;
  seen_at?: string;
  read_at?: string;
}

/** Outcome, errors, files and effort of an attempt: enough to tell what it was about and how it ended. */
export interface AttemptTrace {
  taskNumber: number;
  /** 0 while it runs. */
  seconds: number;
  /** Actions performed. */
  actions: number;
  /** Iterations whose success is known. */
  judgedIterations: number;
  outcome?: Outcome;
  errors: EncounteredError[];
  /** Files it created or worked on. */
  files: string[];
}

type TraceRow = Pick<
  AttemptRow,
  "task_number" | "started" | "ended" | "actions_performed" | "outcome" | "errors" | "artifacts" | "files"
> & { judged: number };

const columns =
  "attempt_key, task_number, id, started, ended, plan, plan_text, agent, memory_capacity, runner, run_key, iterations, actions_performed, outcome, errors, artifacts, files, git_commit, actions_summary, made_by, seen_at";

export type Attempts = ReturnType<typeof attempts>;

export function attempts(sql: Sql, dialect: Dialect) {
  const { project, rowLock, serverTime } = dialect;
  const table = tableOf(sql, dialect, "attempts", {
    json: ["plan", "runner", "outcome", "errors", "artifacts", "files"],
  });
  const results = iterationResults(sql, dialect);
  const readColumns = serverTime === undefined ? columns : `${columns}, ${serverTime(0)} AS read_at`;
  const seenNow = serverTime === undefined ? "NULL" : serverTime(0);
  const traceColumns = `task_number, started, ended, actions_performed, outcome, errors, artifacts, files,
    (SELECT count(*) FROM iteration_results AS results
     WHERE ${project.owns("results")} AND results.attempt_key = attempts.attempt_key AND results.success IS NOT NULL AND results.trouble IS NULL) AS judged`;
  const inserting = `INSERT INTO attempts (${project.column}task_number, id, started, plan, plan_text, agent, memory_capacity, runner, run_key, made_by, seen_at, iterations, actions_performed, errors, artifacts)
    VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${seenNow}, 0, 0, '[]', '[]')`;

  const select = async (rest: string, ...values: SqlValue[]): Promise<StoredAttempt[]> => {
    const chosen = `SELECT attempt_key FROM attempts WHERE ${project.owns("attempts")} ${rest}`;
    const [rows, qualities] = await Promise.all([
      table.list<AttemptRow>(readColumns, rest, ...values),
      results.listQualities(chosen, values),
    ]);
    return rows.map((row) => toAttempt(row, qualities.get(row.attempt_key) ?? []));
  };
  const update = (attemptKey: number, values: Parameters<typeof table.update>[0]) =>
    table.update(values, "AND attempt_key = ?", attemptKey);

  return {
    /** Returns its key. */
    add: (attempt: NewAttempt) => sql.insert("attempt_key", inserting, ...valuesOf(attempt)),

    /** The same when nobody asks for its key. */
    start: (attempt: NewAttempt) => sql.write(inserting, ...valuesOf(attempt)),

    async find(taskNumber: number, id: number): Promise<StoredAttempt | undefined> {
      return (await select("AND task_number = ? AND id = ?", taskNumber, id))[0];
    },

    /** The newest of a task. */
    async findLast(taskNumber: number): Promise<StoredAttempt | undefined> {
      return (await select("AND task_number = ? ORDER BY id DESC LIMIT 1", taskNumber))[0];
    },

    /** No other transaction changes the newest attempt of a task, nor records anything in it, until this one ends. */
    async hold(taskNumber: number): Promise<void> {
      if (rowLock === "") return;
      await table.get("attempt_key", `AND task_number = ? ORDER BY id DESC LIMIT 1 ${rowLock}`, taskNumber);
    },

    list: (taskNumber: number) => select("AND task_number = ? ORDER BY id", taskNumber),

    /** Oldest first. */
    async listTraces(taskNumbers: readonly number[]): Promise<AttemptTrace[]> {
      const rows = await table.listIn<TraceRow>(
        traceColumns,
        "task_number",
        taskNumbers,
        "ORDER BY attempt_key",
      );
      return rows.map(toTrace);
    },

    /** Attempts of any task that have not ended. */
    listRunning: () => select("AND ended IS NULL ORDER BY task_number"),

    /** Attempts that ended before a time and whose actions are not archived yet. */
    listUnarchived: (endedBefore: string) =>
      select("AND actions_summary IS NULL AND ended < ? ORDER BY ended", endedBefore),

    countActions: (attemptKey: number, count: number, highestIteration: number) =>
      table.change(
        `actions_performed = actions_performed + ?, seen_at = ${seenNow}, iterations = CASE WHEN iterations < ? THEN ? ELSE iterations END`,
        "AND attempt_key = ?",
        ...[count, highestIteration, highestIteration, attemptKey],
      ),

    end: (attemptKey: number, { gitCommit, ...end }: AttemptEnd) =>
      update(attemptKey, { ...end, git_commit: gitCommit }),

    saveRunner: (attemptKey: number, runner: Runner, runKey: number) =>
      update(attemptKey, { runner, run_key: runKey }),

    saveErrors: (attemptKey: number, errors: readonly EncounteredError[]) => update(attemptKey, { errors }),

    saveSummary: (attemptKey: number, summary: string) => update(attemptKey, { actions_summary: summary }),
  };
}

function valuesOf(attempt: NewAttempt): SqlValue[] {
  return [
    attempt.taskNumber,
    attempt.id,
    attempt.started,
    JSON.stringify(attempt.plan),
    attempt.planText ?? null,
    attempt.agent ?? null,
    attempt.memoryCapacity ?? null,
    attempt.runner === undefined ? null : JSON.stringify(attempt.runner),
    attempt.runKey ?? null,
    attempt.madeBy ?? null,
  ];
}

function toAttempt(row: AttemptRow, qualities: QualityPoint[]): StoredAttempt {
  const { started, ended, agent, memory_capacity, outcome, git_commit, runner, run_key } = row;
  const { made_by, seen_at, read_at, plan_text, actions_summary } = row;
  return {
    key: row.attempt_key,
    id: row.id,
    task_id: taskIdOf(row.task_number),
    started,
    ...(ended && { ended, duration_seconds: secondsBetween(started, ended) }),
    plan: row.plan,
    execution: {
      ...(agent && { agent }),
      ...(memory_capacity !== undefined && { memory_capacity }),
      iterations: row.iterations,
      actions_performed: row.actions_performed,
      quality_history: qualities,
    },
    ...(outcome && { outcome }),
    errors_encountered: row.errors,
    artifacts_produced: row.artifacts,
    files: row.files,
    ...(git_commit && { git_commit }),
    ...(runner && { runner }),
    ...(run_key !== undefined && { runKey: run_key }),
    ...(made_by && { made_by }),
    ...(seen_at && { seenAt: seen_at }),
    ...(read_at && { readAt: read_at }),
    ...(plan_text && { plan_text }),
    ...(actions_summary && { actions_summary }),
  };
}

function toTrace({ task_number, started, ended, actions_performed, judged, ...row }: TraceRow): AttemptTrace {
  return {
    taskNumber: task_number,
    seconds: ended === undefined ? 0 : secondsBetween(started, ended),
    actions: actions_performed,
    judgedIterations: judged,
    ...(row.outcome !== undefined && { outcome: row.outcome }),
    errors: row.errors,
    files: [...row.artifacts, ...row.files],
  };
}
