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
import type { Dialect, ProjectFragments } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import { placeholders, type Sql, type SqlValue } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";
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

interface AttemptRow {
  attempt_key: number;
  task_number: number;
  id: number;
  started: string;
  ended: string | null;
  plan: string;
  plan_text: string | null;
  agent: string | null;
  memory_capacity: number | null;
  runner: string | null;
  run_key: number | null;
  iterations: number;
  actions_performed: number;
  outcome: string | null;
  errors: string;
  artifacts: string;
  files: string;
  git_commit: string | null;
  actions_summary: string | null;
  made_by: string | null;
  seen_at: string | null;
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

interface TraceRow
  extends Pick<
    AttemptRow,
    "task_number" | "started" | "ended" | "actions_performed" | "outcome" | "errors" | "artifacts" | "files"
  > {
  judged: number;
}

const traceColumns = (
  project: ProjectFragments,
) => `task_number, started, ended, actions_performed, outcome, errors, artifacts, files,
  (SELECT count(*) FROM iteration_results AS results
   WHERE ${project.owns("results")} AND results.attempt_key = attempts.attempt_key AND results.success IS NOT NULL AND results.trouble IS NULL) AS judged`;

function toTrace({
  task_number: taskNumber,
  outcome,
  errors,
  artifacts,
  files,
  ...row
}: TraceRow): AttemptTrace {
  const made = parseStored(artifacts) as string[];
  return {
    taskNumber,
    seconds: row.ended === null ? 0 : secondsBetween(row.started, row.ended),
    actions: row.actions_performed,
    judgedIterations: row.judged,
    ...(outcome !== null && { outcome: parseStored(outcome) as Outcome }),
    errors: parseStored(errors) as EncounteredError[],
    files: [...made, ...(parseStored(files) as string[])],
  };
}

const columns =
  "attempt_key, task_number, id, started, ended, plan, plan_text, agent, memory_capacity, runner, run_key, iterations, actions_performed, outcome, errors, artifacts, files, git_commit, actions_summary, made_by, seen_at";

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

export type Attempts = ReturnType<typeof attempts>;

export function attempts(sql: Sql, dialect: Dialect) {
  const { project, rowLock, serverTime } = dialect;
  const readColumns = serverTime === undefined ? columns : `${columns}, ${serverTime(0)} AS read_at`;
  const seenNow = serverTime === undefined ? "NULL" : serverTime(0);
  const results = iterationResults(sql, dialect);

  const toAttempt = (row: AttemptRow, qualities: QualityPoint[]): StoredAttempt => {
    const known = withoutNulls(row);
    return {
      key: known.attempt_key,
      id: known.id,
      task_id: taskIdOf(known.task_number),
      started: known.started,
      ...(known.ended && {
        ended: known.ended,
        duration_seconds: secondsBetween(known.started, known.ended),
      }),
      plan: parseStored(known.plan) as Plan,
      execution: {
        ...(known.agent && { agent: known.agent }),
        ...(known.memory_capacity !== undefined && { memory_capacity: known.memory_capacity }),
        iterations: known.iterations,
        actions_performed: known.actions_performed,
        quality_history: qualities,
      },
      ...(known.outcome && { outcome: parseStored(known.outcome) as Outcome }),
      errors_encountered: parseStored(known.errors) as EncounteredError[],
      artifacts_produced: parseStored(known.artifacts) as string[],
      files: parseStored(known.files) as string[],
      ...(known.git_commit && { git_commit: known.git_commit }),
      ...(known.runner && { runner: parseStored(known.runner) as Runner }),
      ...(known.run_key !== undefined && { runKey: known.run_key }),
      ...(known.made_by && { made_by: known.made_by }),
      ...(known.seen_at && { seenAt: known.seen_at }),
      ...(known.read_at && { readAt: known.read_at }),
      ...(known.plan_text && { plan_text: known.plan_text }),
      ...(known.actions_summary && { actions_summary: known.actions_summary }),
    };
  };

  const inserting = `INSERT INTO attempts (${project.column}task_number, id, started, plan, plan_text, agent, memory_capacity, runner, run_key, made_by, seen_at, iterations, actions_performed, errors, artifacts)
    VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${seenNow}, 0, 0, '[]', '[]')`;

  const select = async (rest: string, ...values: (string | number)[]): Promise<StoredAttempt[]> => {
    const chosen = `FROM attempts WHERE ${project.owns("attempts")} ${rest}`;
    const [rows, qualities] = await Promise.all([
      sql.all<AttemptRow>(`SELECT ${readColumns} ${chosen}`, ...values),
      results.listQualities(`SELECT attempt_key ${chosen}`, values),
    ]);
    return rows.map((row) => toAttempt(row, qualities.get(row.attempt_key) ?? []));
  };

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
      await sql.get(
        `SELECT attempt_key FROM attempts WHERE ${project.owns("attempts")} AND task_number = ? ORDER BY id DESC LIMIT 1 ${rowLock}`,
        taskNumber,
      );
    },

    list: (taskNumber: number) => select("AND task_number = ? ORDER BY id", taskNumber),

    /** Oldest first. */
    async listTraces(taskNumbers: readonly number[]): Promise<AttemptTrace[]> {
      const rows = await sql.all<TraceRow>(
        `SELECT ${traceColumns(project)} FROM attempts WHERE ${project.owns("attempts")} AND task_number IN ${placeholders(taskNumbers)} ORDER BY attempt_key`,
        ...taskNumbers,
      );
      return rows.map(toTrace);
    },

    /** Those that ended last, newest first. */
    async listNewestTraces(limit: number): Promise<AttemptTrace[]> {
      const rows = await sql.all<TraceRow>(
        `SELECT ${traceColumns(project)} FROM attempts WHERE ${project.owns("attempts")} AND ended IS NOT NULL ORDER BY attempt_key DESC LIMIT ?`,
        limit,
      );
      return rows.map(toTrace);
    },

    /** Attempts of any task that have not ended. */
    listRunning: () => select("AND ended IS NULL ORDER BY task_number"),

    /** Attempts that ended before a time and whose actions are not archived yet. */
    listUnarchived: (endedBefore: string) =>
      select("AND actions_summary IS NULL AND ended < ? ORDER BY ended", endedBefore),

    countActions: (attemptKey: number, count: number, highestIteration: number) =>
      sql.write(
        `UPDATE attempts SET actions_performed = actions_performed + ?, seen_at = ${seenNow},
           iterations = CASE WHEN iterations < ? THEN ? ELSE iterations END WHERE ${project.owns("attempts")} AND attempt_key = ?`,
        count,
        highestIteration,
        highestIteration,
        attemptKey,
      ),

    end: (attemptKey: number, { ended, outcome, errors, artifacts, files, gitCommit }: AttemptEnd) =>
      sql.write(
        `UPDATE attempts SET ended = ?, outcome = ?, errors = ?, artifacts = ?, files = ?, git_commit = ? WHERE ${project.owns("attempts")} AND attempt_key = ?`,
        ended,
        JSON.stringify(outcome),
        JSON.stringify(errors),
        JSON.stringify(artifacts),
        JSON.stringify(files),
        gitCommit ?? null,
        attemptKey,
      ),

    saveRunner: (attemptKey: number, runner: Runner, runKey: number) =>
      sql.write(
        `UPDATE attempts SET runner = ?, run_key = ? WHERE ${project.owns("attempts")} AND attempt_key = ?`,
        JSON.stringify(runner),
        runKey,
        attemptKey,
      ),

    saveErrors: (attemptKey: number, errors: readonly EncounteredError[]) =>
      sql.write(
        `UPDATE attempts SET errors = ? WHERE ${project.owns("attempts")} AND attempt_key = ?`,
        JSON.stringify(errors),
        attemptKey,
      ),

    saveSummary: (attemptKey: number, summary: string) =>
      sql.write(
        `UPDATE attempts SET actions_summary = ? WHERE ${project.owns("attempts")} AND attempt_key = ?`,
        summary,
        attemptKey,
      ),
  };
}
