import { type Action, commandOf, isEdit, isVerdict, ranCommand } from "../../domain/tasks/action.js";
import { commandShape, isCheck, variablesOf } from "../../domain/tasks/command-kind.js";
import { chainOf } from "../../domain/tasks/shell-line.js";
import type { Failure } from "../../failures/failure.js";
import type { ReadAction } from "../../failures/find-failures.js";
import {
  addNew,
  areNearlyEqual,
  extentOf,
  type FailureTrace,
  filesOf,
  type Group,
  gistsOf,
  groupByKey,
  isSmaller,
  newTrace,
  type OpenTrace,
} from "./failure-trace.js";
import { addsMissing, startsAsBefore, startsMissing } from "./missing-programs.js";
import {
  chooseRemedy,
  isFileLookup,
  isRemedyAction,
  isRestoring,
  isTakenBack,
  isVariantOf,
  lastForm,
  withoutUndone,
} from "./remedy-actions.js";

/** One step of the work on a task, in order of time. */
export type WorkStep =
  | { kind: "action"; attempt: number; action: Action }
  /** The verification after an iteration. */
  | { kind: "verdict"; attempt: number; isPassed: boolean; failures: readonly Failure[] }
  | {
      kind: "end";
      attempt: number;
      isSuccess: boolean;
      /** Nobody reported how it ended. */
      isUnjudged?: boolean;
      failures: readonly Failure[];
    };

/** The name of the check after an iteration. */
const verification = "verification";

/** The state while the steps of a task are followed. */
interface Work {
  traces: Map<string, OpenTrace>;
  /** The commands that failed, without what hardly affects them. */
  commands: Set<string>;
  /** The variables that failing commands were run with. */
  failedWith: Set<string>;
  /** Actions that already explain why a failure went away. */
  explained: Set<Action>;
  /** The number of outputs with failures. */
  sights: number;
}

/**
 * Follows each failure from its last occurrence until the check that showed it no longer does, even if that check still fails for another
 * reason. Actions in between are the remedy; actions before a recurrence did not help. Work that solved one failure explains another one
 * only if nothing else does.
 */
export function traceFailures(steps: readonly WorkStep[], readAction: ReadAction): FailureTrace[] {
  const work: Work = {
    traces: new Map(),
    commands: new Set(),
    failedWith: new Set(),
    explained: new Set(),
    sights: 0,
  };
  for (const step of steps) {
    if (step.kind === "action") followAction(work, step, readAction);
    else if (step.kind === "end") followEnd(work, step);
    else if (step.isPassed) recordPass(work, verification);
    else recordSight(work, step.failures, verification, step.attempt);
  }
  return [...work.traces.values()].map((trace) => toFailureTrace(trace, work));
}

function followEnd(work: Work, step: Extract<WorkStep, { kind: "end" }>): void {
  if (step.isUnjudged) settleForms(work);
  if (!step.isSuccess) {
    recordSight(work, step.failures, `end of attempt ${step.attempt}`, step.attempt);
    return;
  }
  closeTraces(work, openTraces(work), { isByOutcome: true, isPassed: true });
  for (const trace of work.traces.values()) trace.isConfirmed = true;
}

function followAction(
  work: Work,
  { action, attempt }: Extract<WorkStep, { kind: "action" }>,
  readAction: ReadAction,
): void {
  if (!isVerdict(action)) for (const trace of openTraces(work)) trace.isUnobserved = false;
  const command = ranCommand(action);
  const check = command === undefined ? undefined : commandShape(command);
  if (!action.success) {
    if (check === undefined || command === undefined) return;
    if (isFileLookup(command) && !isVerdict(action)) return;
    work.commands.add(check);
    work.failedWith.add(variablesOf(command));
    recordSight(work, readAction(action), check, attempt, isVerdict(action));
    closeByProgram(work, action, command);
    closeByVariant(work, action, check);
    return;
  }
  if (check !== undefined) closeByVariant(work, action, check);
  if (command !== undefined) closeByProgram(work, action, command);
  if (isRemedyAction(action, work.commands)) {
    reopenUndone(work, action);
    for (const trace of openTraces(work)) trace.since.push(action);
  }
  for (const passed of passedChecks(command)) if (work.commands.has(passed)) recordPass(work, passed, action);
}

function recordSight(
  work: Work,
  failures: readonly Failure[],
  check: string,
  attempt: number,
  isVerdictOnWork = true,
): void {
  work.sights += 1;
  const seen = new Map(
    [...groupByKey(failures)].map(([key, group]) => [knownKey(work, key, group) ?? key, group] as const),
  );
  for (const [key, group] of seen) {
    const known = work.traces.get(key);
    const trace = known ?? newTrace(key, group, { check, attempt, sight: work.sights });
    if (known === undefined) work.traces.set(key, trace);
    else recordAgain(work, known, group, check, attempt);
    trace.isUnobserved = isVerdictOnWork;
  }
  closeTraces(
    work,
    [...work.traces.values()].filter(
      (trace) => trace.state === "open" && trace.shownBy.has(check) && !seen.has(trace.key),
    ),
  );
}

/** The same test with a slightly longer or shorter message is the same failure. */
function knownKey({ traces }: Work, key: string, { failures: [failure] }: Group): string | undefined {
  if (traces.has(key)) return key;
  const isSameTest = (trace: OpenTrace) =>
    failure?.test !== undefined && trace.failure.test === failure.test && areNearlyEqual(trace.key, key);
  return [...traces.values()].find(isSameTest)?.key;
}

function recordAgain(work: Work, trace: OpenTrace, group: Group, check: string, attempt: number): void {
  const extent = extentOf(group.failures);
  const isLess = trace.state === "open" && isSmaller(extent, trace.extent);
  const done = trace.state === "open" ? withoutUndone(trace.since, trace.triedInVain.flat()) : trace.remedy;
  if (!isLess) {
    if (done.length > 0) trace.triedInVain.push(done);
    for (const action of trace.remedy) work.explained.delete(action);
    trace.since = [];
  }
  trace.state = "open";
  trace.remedy = [];
  trace.failure = group.failures[0] as Failure;
  trace.extent = extent;
  trace.shownBy.add(check);
  addNew(trace.gists, gistsOf(group.failures));
  addNew(trace.files, filesOf(group.failures));
  addNew(trace.attempts, [attempt]);
  trace.sights.push(work.sights);
}

/** Failures that their check no longer shows. */
function closeTraces(
  work: Work,
  gone: readonly OpenTrace[],
  { isByOutcome = false, isPassed = false } = {},
): void {
  const remedies = gone.map((trace) =>
    chooseRemedy(withoutUndone(trace.since, trace.triedInVain.flat()), {
      failure: trace.failure,
      commands: [...trace.shownBy].filter((check) => work.commands.has(check)),
      others: [...work.traces.values()]
        .filter((other) => other !== trace && (other.state === "open" || gone.includes(other)))
        .map(({ failure }) => failure),
      explained: work.explained,
      isByOutcome,
    }),
  );
  for (const [index, trace] of gone.entries()) {
    trace.remedy = remedies[index] ?? [];
    trace.isConfirmed = isPassed;
    // No check ran again: neither the outcome alone nor a verdict on unrecorded work shows that it is flaky.
    if (trace.remedy.length > 0 || (trace.isUnobserved && isPassed)) trace.state = "solved";
    else if (!isByOutcome) trace.state = "flaky";
    for (const action of trace.remedy) work.explained.add(action);
  }
}

/** Work that was undone was no remedy. If nothing is left of a remedy, something later must be it. */
function reopenUndone(work: Work, action: Action): void {
  for (const trace of work.traces.values()) {
    if (trace.state !== "solved") continue;
    const isOver = !trace.isConfirmed && isRestoring(action);
    const over = trace.remedy.filter((done) => isOver || isTakenBack(done, action));
    if (over.length === 0) continue;
    for (const done of over) work.explained.delete(done);
    trace.triedInVain.push(over);
    trace.remedy = trace.remedy.filter((done) => !over.includes(done));
    if (trace.remedy.length > 0) continue;
    trace.state = "open";
    trace.since = [];
  }
}

function recordPass(work: Work, check: string, action?: Action): void {
  for (const trace of work.traces.values()) if (trace.shownBy.has(check)) trace.isConfirmed = true;
  const gone = openTraces(work).filter(({ shownBy }) => shownBy.has(check));
  // Only a variable before the command may have changed.
  if (action !== undefined && !work.failedWith.has(variablesOf(commandOf(action) ?? "")))
    for (const trace of gone) if (trace.since.length === 0) trace.since.push(action);
  closeTraces(work, gone, { isPassed: true });
}

/**
 * If a failed command runs in another form and no longer shows the failure, the other form is the remedy. A check in another form may be a
 * different check, so it counts only if the failure is about how it was called.
 */
function closeByVariant(work: Work, action: Action, check: string): void {
  const gone = openTraces(work).filter(
    ({ failure, shownBy, sights }) =>
      !shownBy.has(check) &&
      (sights.at(-1) === work.sights
        ? action.success && isAboutCall(failure)
        : !isCheck(check) || isAboutCall(failure)) &&
      [...shownBy].some((shown) => isVariantOf(shown, check)),
  );
  for (const trace of gone) trace.since.push(action);
  closeTraces(work, gone, { isPassed: action.success });
}

/** A missing program starts after all: the commands since then helped or, without any, the new way to start it. */
function closeByProgram(work: Work, action: Action, command: string): void {
  const gone = openTraces(work).filter(
    ({ failure, sights }) =>
      (action.success || sights.at(-1) !== work.sights) && startsMissing(command, failure),
  );
  for (const trace of gone) {
    const commandsSince = trace.since.filter((each) => !isEdit(each));
    if (commandsSince.length > 0) trace.since = commandsSince;
    else if (!startsAsBefore(command, trace.failure)) trace.since = [action];
  }
  closeTraces(work, gone, { isPassed: true });
}

/** Without a verdict on the work, a failure counts as solved if its command passed in another form and did not run again. */
function settleForms(work: Work): void {
  for (const trace of openTraces(work)) {
    const form = lastForm(
      trace.since,
      [...trace.shownBy].filter((check) => work.commands.has(check)),
    );
    if (form === undefined) continue;
    Object.assign(trace, { state: "solved", remedy: [form], isConfirmed: true });
    work.explained.add(form);
  }
}

function openTraces({ traces }: Work): OpenTrace[] {
  return [...traces.values()].filter(({ state }) => state === "open");
}

function toFailureTrace(
  { shownBy, since: _since, extent: _extent, isUnobserved: _unobserved, isConfirmed, ...trace }: OpenTrace,
  { commands, explained }: Work,
): FailureTrace {
  return {
    ...trace,
    isParticular: trace.isParticular || addsMissing(trace.failure, trace.remedy),
    // The check failed for another reason and never passed: that reason may hide the failure.
    ...(trace.state === "solved" && !isConfirmed && { state: "open" as const, remedy: [] }),
    checks: [...shownBy].filter((check) => commands.has(check)),
    triedInVain: trace.triedInVain
      .map((tried) => tried.filter((action) => !explained.has(action)))
      .filter(({ length }) => length > 0),
  };
}

/** A line that passes has passed all of its checks. */
function passedChecks(command: string | undefined): Set<string> {
  return new Set(command === undefined ? [] : [command, ...chainOf(command)].map(commandShape));
}

const wrongCall =
  /\b(?:un(?:known|recogni[sz]ed|expected|supported)|invalid|illegal|no such) (?:option|argument|flag|(?:sub)?command|switch)s?\b|\bno (?:\w+ )?target named\b/i;

function isAboutCall({ message, file, test }: Failure): boolean {
  return file === undefined && test === undefined && wrongCall.test(message);
}
