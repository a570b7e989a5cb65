import type { Action } from "../../domain/tasks/action.js";
import type { EncounteredError, OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { ReadAction } from "../../failures/failures-of.js";
import { failureOf } from "../../failures/keys/failure-of.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { WorkReport } from "../reflections/work-report.js";
import {
  errorsOfAttempt,
  errorsSolvedBy,
  type RecordedAttempt,
  traceTask,
  withResolutions,
} from "./resolve-errors.js";

export interface EndedWork {
  report: WorkReport;
  /** All of the attempt, its checks too; what was read from them before is not read again. */
  actions: readonly Action[];
  /** Errors that the runner reported itself. */
  given: readonly EncounteredError[] | undefined;
  readAction: ReadAction;
}

export interface RecordedErrors {
  /** Those of the attempt that is ending. */
  errors: EncounteredError[];
  /** Those that it solved, of earlier attempts, too. */
  resolved: EncounteredError[];
}

/** Traces the errors of an attempt that is ending; what solved errors of earlier attempts is recorded with those. */
export async function recordErrors(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  { report, actions, given, readAction }: EndedWork,
): Promise<RecordedErrors> {
  const { outcome, whatWorked } = report;
  const earlier = (await tx.attempts.list(task.number)).filter(({ id }) => id < attempt.id);
  const recorded: RecordedAttempt[] = [];
  for (const each of earlier) recorded.push(await readAttempt(tx, each));
  const results = await tx.iterationResults.list(attempt.key);
  const own: RecordedAttempt = { ...attempt, actions, results, outcome: outcomeOf(outcome) };
  const isSuccess = outcome === "success";
  const failures = isSuccess ? [] : (given?.map(({ message }) => failureOf(message)) ?? report.failures);
  const traces = traceTask([...recorded, own], readAction, { failures });
  const saidToWork = isSuccess ? whatWorked.join("; ") : "";
  for (const each of earlier) {
    const errors = withResolutions(each.errors_encountered, traces, saidToWork);
    const isChanged = errors.some(
      (error, index) => error.resolution !== each.errors_encountered[index]?.resolution,
    );
    if (isChanged) await tx.attempts.saveErrors(each.key, errors);
  }
  return {
    errors: given === undefined ? errorsOfAttempt(traces, attempt.id, saidToWork) : [...given],
    resolved: errorsSolvedBy(traces, own.actions, saidToWork),
  };
}

async function readAttempt(tx: Repositories, attempt: StoredAttempt): Promise<RecordedAttempt> {
  return {
    ...attempt,
    actions: await tx.actions.list(attempt.key),
    results: await tx.iterationResults.list(attempt.key),
  };
}

function outcomeOf(status: OutcomeStatus): NonNullable<StoredAttempt["outcome"]> {
  return { status, what_worked: [], what_didnt_work: [], suggestions_for_next_time: [] };
}
