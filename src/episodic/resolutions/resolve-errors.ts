import type { Action } from "../../domain/tasks/action.js";
import type {
  Attempt,
  EncounteredError,
  IterationResult,
  OutcomeStatus,
} from "../../domain/tasks/attempt.js";
import { describeFailure, type Failure, failureOf } from "../../failures/failure.js";
import { type FailureKey, failureKey } from "../../failures/failure-key.js";
import { type ReadAction, readActionsOnce, readFailedOutput } from "../../failures/find-failures.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import { failureGist } from "../../text/same-failure.js";
import type { WorkReport } from "../reflections/work-report.js";
import type { AttemptWork } from "../tasks/task-work.js";
import { describeRemedy } from "./describe-remedy.js";
import type { FailureTrace } from "./failure-trace.js";
import { traceFailures, type WorkStep } from "./trace-failures.js";

/** An attempt with everything recorded about it. */
interface RecordedAttempt extends Pick<Attempt, "id" | "outcome" | "errors_encountered"> {
  actions: readonly Action[];
  results: readonly IterationResult[];
  /** Nobody reported how it ended: its outcome is a guess. */
  isUnjudged?: boolean;
}

interface ReviewedWork {
  errors: EncounteredError[];
  inVain: Action[];
}

/** The attempt that is just ending. */
interface EndingAttempt {
  /** The failures at its end. */
  failures: readonly Failure[];
}

/** What became of each failure of a task, over all its attempts. */
export function traceTask(
  attempts: readonly RecordedAttempt[],
  readAction: ReadAction = readActionsOnce(),
  ending?: EndingAttempt,
): FailureTrace[] {
  const steps = attempts.flatMap((attempt) =>
    stepsOf(attempt, attempt === attempts.at(-1) ? ending : undefined),
  );
  return traceFailures(steps, readAction);
}

function stepsOf(attempt: RecordedAttempt, ending: EndingAttempt | undefined): WorkStep[] {
  const { id, outcome, actions, results, isUnjudged = false } = attempt;
  const judged = results.filter(({ success }) => success !== undefined);
  const verdict = ({ success, output = "" }: IterationResult): WorkStep => ({
    kind: "verdict",
    attempt: id,
    isPassed: success === true,
    failures: success === true ? [] : readFailedOutput(output.replace(echoedCommand, "")),
  });
  const withActions = new Set(actions.map(({ iteration }) => iteration));
  let waiting = judged.filter(({ iteration }) => !withActions.has(iteration));
  /** The verdicts on iterations in which nothing was done, up to this one. */
  const idleUntil = (iteration: number) => {
    const idle = waiting.filter((result) => result.iteration < iteration);
    waiting = waiting.filter((result) => result.iteration >= iteration);
    return idle.map(verdict);
  };
  const steps: WorkStep[] = actions.flatMap((action, index) => {
    const isLast = actions[index + 1]?.iteration !== action.iteration;
    const own = isLast ? judged.filter(({ iteration }) => iteration === action.iteration) : [];
    return [
      ...idleUntil(action.iteration),
      { kind: "action", attempt: id, action } as const,
      ...own.map(verdict),
    ];
  });
  steps.push(...waiting.map(verdict));
  const hasSights = actions.some(({ success }) => !success) || judged.some(({ success }) => !success);
  const known = hasSights ? [] : attempt.errors_encountered.map(({ message }) => failureOf(message));
  if (outcome !== undefined)
    steps.push({
      kind: "end",
      attempt: id,
      isSuccess: outcome.status === "success" && !isUnjudged,
      isUnjudged,
      failures: ending?.failures ?? known,
    });
  return steps;
}

/** The failure that an error of an attempt is about. */
export function failureOfError({ message }: EncounteredError): Failure {
  return failureOf(message);
}

export function keyOfError(error: EncounteredError): FailureKey {
  return failureKey(failureOfError(error));
}

/** The trace of a recorded error. */
export function traceOf(error: EncounteredError, traces: readonly FailureTrace[]): FailureTrace | undefined {
  const gist = failureGist(error.message);
  const { key } = keyOfError(error);
  return traces.find(({ gists }) => gists.includes(gist)) ?? traces.find((trace) => trace.key === key);
}

/** Adds what solved each error of an attempt, as far as the traces of its task show. */
function withResolutions(
  errors: readonly EncounteredError[],
  traces: readonly FailureTrace[],
  saidToWork: string,
): EncounteredError[] {
  return errors.map(({ resolution: before, ...error }) => {
    const trace = traceOf(error, traces);
    const resolution = trace === undefined ? before || saidToWork : resolutionOf(trace, saidToWork);
    return resolution === "" ? error : { ...error, resolution };
  });
}

function resolutionOf({ state, remedy, failure }: FailureTrace, saidToWork: string): string {
  if (state === "flaky") return "";
  return (state === "solved" ? describeRemedy(remedy, failure) : undefined) ?? saidToWork;
}

/** The command, as printed above its output. */
const echoedCommand = /^\$ .*$/gm;
const keptErrors = 10;

/** The lessons of a finished task for similar ones: solved errors with their remedies, and actions that did not help. */
export function reviewWork(attempts: readonly RecordedAttempt[]): ReviewedWork {
  const traces = traceTask(attempts);
  const saidToWork = attempts.flatMap(({ outcome }) => outcome?.what_worked ?? []).join("; ");
  const recorded = attempts
    .flatMap((attempt) => attempt.errors_encountered)
    .filter(({ resolution }) => resolution);
  const traced = traces
    .filter(({ state, isParticular }) => state === "solved" && !isParticular)
    .map((trace) => {
      // If no command showed it, only what was recorded with it counts.
      const resolution =
        trace.checks.length > 0
          ? resolutionOf(trace, saidToWork)
          : recorded.find((error) => traceOf(error, [trace]))?.resolution;
      return generalError(trace.failure, resolution ?? "");
    });
  const untraced = recorded
    .filter((error) => traceOf(error, traces) === undefined && !keyOfError(error).isParticular)
    .map((error) => generalError(failureOfError(error), error.resolution ?? ""));
  return {
    errors: [...traced, ...untraced].filter(({ resolution }) => resolution !== ""),
    inVain: traces.flatMap(({ triedInVain }) => triedInVain.flat()),
  };
}

/** Without the test, the file and the line, which differ next time. */
function generalError({ code = "error", message }: Failure, resolution: string): EncounteredError {
  const text = message.replace(/^error: (?=\S)/i, "");
  const isNamed = /^error$/i.test(code) || text.includes(code);
  return { type: code, message: isNamed ? text : `${code}: ${text}`, resolution };
}

/** The failures of one attempt, as stored with it. */
function errorsOfAttempt(
  traces: readonly FailureTrace[],
  attemptId: number,
  saidToWork: string,
): EncounteredError[] {
  const own = traces.filter(({ attempts }) => attempts.includes(attemptId)).slice(0, keptErrors);
  return own.map((trace) => toError(trace, saidToWork));
}

/** The errors that these actions solved. */
export function errorsSolvedBy(
  traces: readonly FailureTrace[],
  actions: readonly Action[],
  saidToWork = "",
): EncounteredError[] {
  return traces
    .filter(({ state, remedy }) => state === "solved" && remedy.some((action) => actions.includes(action)))
    .map((trace) => toError(trace, saidToWork));
}

function toError(trace: FailureTrace, saidToWork: string): EncounteredError {
  const { failure } = trace;
  const resolution = resolutionOf(trace, saidToWork);
  return {
    type: failure.test === undefined ? (failure.code ?? "error") : "failing test",
    message: describeFailure(failure),
    ...(resolution !== "" && { resolution }),
  };
}

interface EndedWork {
  report: WorkReport;
  /** The attempts before it. */
  earlier: readonly AttemptWork[];
  /** Errors reported by the runner itself. */
  given: readonly EncounteredError[] | undefined;
  /** Caches what was already read from an action. */
  readAction: ReadAction;
}

interface RecordedErrors {
  /** Errors of the ending attempt. */
  errors: EncounteredError[];
  /** Errors that it solved, including those of earlier attempts. */
  resolved: EncounteredError[];
}

/** Traces the errors of an ending attempt; solutions to errors of earlier attempts are recorded with those. */
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
