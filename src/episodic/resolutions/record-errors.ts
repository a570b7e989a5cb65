import type { EncounteredError, OutcomeStatus } from "../../domain/tasks/attempt.js";
import { failureOf } from "../../failures/failure.js";
import type { ReadAction } from "../../failures/find-failures.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import type { WorkReport } from "../reflections/work-report.js";
import type { AttemptWork } from "../tasks/task-work.js";
import {
  errorsOfAttempt,
  errorsSolvedBy,
  type RecordedAttempt,
  traceTask,
  withResolutions,
} from "./resolve-errors.js";

export interface EndedWork {
  report: WorkReport;
  /** The attempts before it. */
  earlier: readonly AttemptWork[];
  /** Errors that the runner reported itself. */
  given: readonly EncounteredError[] | undefined;
  /** What was read from an action before is not read again. */
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
  attempt: AttemptWork,
  { report, earlier, given, readAction }: EndedWork,
): Promise<RecordedErrors> {
  const { outcome, whatWorked } = report;
  const own: RecordedAttempt = { ...attempt, outcome: outcomeOf(outcome) };
  const isSuccess = outcome === "success";
  const failures = isSuccess ? [] : (given?.map(({ message }) => failureOf(message)) ?? report.failures);
  const traces = traceTask([...earlier, own], readAction, { failures });
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

function outcomeOf(status: OutcomeStatus): NonNullable<StoredAttempt["outcome"]> {
  return { status, what_worked: [], what_didnt_work: [], suggestions_for_next_time: [] };
}
