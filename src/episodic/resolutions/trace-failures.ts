import { type Action, commandOf, isEdit, isVerdict, ranCommand } from "../../domain/tasks/action.js";
import { commandShape, isCheck, variablesOf } from "../../domain/tasks/command-kind.js";
import { chainOf } from "../../domain/tasks/shell-line.js";
import { describeFailure, type Failure } from "../../failures/failure.js";
import { failureKey } from "../../failures/failure-key.js";
import type { ReadAction } from "../../failures/find-failures.js";
import { failureGist } from "../../text/same-failure.js";
import { addsMissing, startsAsBefore, startsMissing } from "./missing.js";
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
      /** Nobody has said how it ended. */
      isUnjudged?: boolean;
      failures: readonly Failure[];
    };

/** What became of one failure of a task. */
export interface FailureTrace {
  key: string;
  /** It says nothing about other tasks. */
  isParticular: boolean;
  /** The last occurrence. */
  failure: Failure;
  /** How its occurrences were described, without numbers. */
  gists: string[];
  /** The files in which it occurred. */
  files: string[];
  /** The commands that showed it. */
  checks: string[];
  /** The attempts in which it was seen. */
  attempts: number[];
  /** The outputs in which it was seen, counted over the task: failures with a number in common were seen together. */
  sights: number[];
  /** Flaky: it went away although nothing was done about it. */
  state: "open" | "solved" | "flaky";
  /** The actions that made it go away. */
  remedy: Action[];
  /** Actions after which it was still there. */
  triedInVain: Action[][];
}

interface OpenTrace extends FailureTrace {
  /** The checks that showed it: commands, verifications and ends of attempts. */
  shownBy: Set<string>;
  /** What was done since it was last seen. */
  since: Action[];
  extent: Extent;
  /** The check passed later, or the task succeeded. */
  isConfirmed: boolean;
  /** It was last seen when the work was judged, and no action of the agent is recorded since. */
  isUnobserved: boolean;
}

/** How much of a failure there is: occurrences, and the first quantity in its message. */
interface Extent {
  count: number;
  size: number;
}

/** The name of the check after an iteration. */
const verification = "verification";

/**
 * Follows each failure from its last sight to the moment when the check that showed it no longer does, even if that check still
 * fails for another reason. What was done in between is the remedy; what was done before a recurrence did not help. Work that
 * solved one failure does not explain another one, unless nothing else does.
 */
export function traceFailures(steps: readonly WorkStep[], readAction: ReadAction): FailureTrace[] {
  const traces = new Map<string, OpenTrace>();
  const commands = new Set<string>();
  const failedWith = new Set<string>();
  const explained = new Set<Action>();
  let sight = 0;

  const see = (failures: readonly Failure[], check: string, attempt: number, isVerdictOnWork = true) => {
    sight += 1;
    const seen = new Map(
      [...groupByKey(failures)].map(([key, group]) => [knownKey(key, group) ?? key, group] as const),
    );
    for (const [key, group] of seen) {
      const known = traces.get(key);
      const trace = known ?? newTrace(key, group, { check, attempt, sight });
      if (known === undefined) traces.set(key, trace);
      else seeAgain(known, group, check, attempt);
      trace.isUnobserved = isVerdictOnWork;
    }
    vanish(
      [...traces.values()].filter(
        (trace) => trace.state === "open" && trace.shownBy.has(check) && !seen.has(trace.key),
      ),
    );
  };

  /** The same test with a message that says a little more, or less, is the same failure. */
  const knownKey = (key: string, { failures: [failure] }: Group) =>
    traces.has(key)
      ? key
      : [...traces.values()].find(
          (trace) =>
            failure?.test !== undefined &&
            trace.failure.test === failure.test &&
            areNearlyEqual(trace.key, key),
        )?.key;

  const seeAgain = (trace: OpenTrace, group: Group, check: string, attempt: number) => {
    const extent = extentOf(group.failures);
    const isLess = trace.state === "open" && isSmaller(extent, trace.extent);
    const done = trace.state === "open" ? withoutUndone(trace.since, trace.triedInVain.flat()) : trace.remedy;
    if (!isLess) {
      if (done.length > 0) trace.triedInVain.push(done);
      for (const action of trace.remedy) explained.delete(action);
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
    trace.sights.push(sight);
  };

  /** Failures that their check no longer shows. */
  const vanish = (gone: readonly OpenTrace[], { isByOutcome = false, isPassed = false } = {}) => {
    const remedies = gone.map((trace) =>
      chooseRemedy(withoutUndone(trace.since, trace.triedInVain.flat()), {
        failure: trace.failure,
        commands: [...trace.shownBy].filter((check) => commands.has(check)),
        others: [...traces.values()]
          .filter((other) => other !== trace && (other.state === "open" || gone.includes(other)))
          .map(({ failure }) => failure),
        explained,
        isByOutcome,
      }),
    );
    for (const [index, trace] of gone.entries()) {
      trace.remedy = remedies[index] ?? [];
      trace.isConfirmed = isPassed;
      // Nobody looked again: the outcome alone does not tell that it is flaky. Nor does a verdict on work that was not recorded.
      if (trace.remedy.length > 0 || (trace.isUnobserved && isPassed)) trace.state = "solved";
      else if (!isByOutcome) trace.state = "flaky";
      for (const action of trace.remedy) explained.add(action);
    }
  };

  /** Work that is taken back was no remedy. If nothing is left of a remedy, something after it must be. */
  const reopenUndone = (action: Action) => {
    for (const trace of traces.values()) {
      if (trace.state !== "solved") continue;
      const isOver = !trace.isConfirmed && isRestoring(action);
      const over = trace.remedy.filter((done) => isOver || isTakenBack(done, action));
      if (over.length === 0) continue;
      for (const done of over) explained.delete(done);
      trace.triedInVain.push(over);
      trace.remedy = trace.remedy.filter((done) => !over.includes(done));
      if (trace.remedy.length > 0) continue;
      trace.state = "open";
      trace.since = [];
    }
  };

  const pass = (check: string, action?: Action) => {
    for (const trace of traces.values()) if (trace.shownBy.has(check)) trace.isConfirmed = true;
    const gone = openTraces().filter(({ shownBy }) => shownBy.has(check));
    // A variable before the command may be all that was changed.
    if (action !== undefined && !failedWith.has(variablesOf(commandOf(action) ?? "")))
      for (const trace of gone) if (trace.since.length === 0) trace.since.push(action);
    vanish(gone, { isPassed: true });
  };

  /**
   * A command that failed runs in another form, and no longer shows the failure: the other form is the remedy. A check in another form
   * may be a different check, so that it counts only if the failure is about how it was called.
   */
  const vanishWithVariant = (action: Action, check: string) => {
    const gone = openTraces().filter(
      ({ failure, shownBy, sights }) =>
        !shownBy.has(check) &&
        (sights.at(-1) === sight
          ? action.success && isAboutCall(failure)
          : !isCheck(check) || isAboutCall(failure)) &&
        [...shownBy].some((shown) => isVariantOf(shown, check)),
    );
    for (const trace of gone) trace.since.push(action);
    vanish(gone, { isPassed: action.success });
  };

  /** A program that was not found is started after all: what was run since then has helped, else how it is started now. */
  const vanishWithProgram = (action: Action, command: string) => {
    const gone = openTraces().filter(
      ({ failure, sights }) => (action.success || sights.at(-1) !== sight) && startsMissing(command, failure),
    );
    for (const trace of gone) {
      const commandsSince = trace.since.filter((each) => !isEdit(each));
      if (commandsSince.length > 0) trace.since = commandsSince;
      else if (!startsAsBefore(command, trace.failure)) trace.since = [action];
    }
    vanish(gone, { isPassed: true });
  };

  /** Where nobody judges the work, a command is solved that passed in another form, and was not run any more. */
  const settleForms = () => {
    for (const trace of openTraces()) {
      const form = lastForm(
        trace.since,
        [...trace.shownBy].filter((check) => commands.has(check)),
      );
      if (form === undefined) continue;
      Object.assign(trace, { state: "solved", remedy: [form], isConfirmed: true });
      explained.add(form);
    }
  };

  const openTraces = () => [...traces.values()].filter(({ state }) => state === "open");

  for (const step of steps) {
    if (step.kind === "verdict") {
      if (step.isPassed) pass(verification);
      else see(step.failures, verification, step.attempt);
    } else if (step.kind === "end") {
      if (step.isUnjudged) settleForms();
      if (step.isSuccess) {
        vanish(openTraces(), { isByOutcome: true, isPassed: true });
        for (const trace of traces.values()) trace.isConfirmed = true;
      } else see(step.failures, `end of attempt ${step.attempt}`, step.attempt);
    } else {
      const { action, attempt } = step;
      if (!isVerdict(action)) for (const trace of openTraces()) trace.isUnobserved = false;
      const command = ranCommand(action);
      const check = command === undefined ? undefined : commandShape(command);
      if (!action.success) {
        if (check === undefined || command === undefined) continue;
        if (isFileLookup(command) && !isVerdict(action)) continue;
        commands.add(check);
        failedWith.add(variablesOf(command));
        see(readAction(action), check, attempt, isVerdict(action));
        vanishWithProgram(action, command);
        vanishWithVariant(action, check);
      } else {
        if (check !== undefined) vanishWithVariant(action, check);
        if (command !== undefined) vanishWithProgram(action, command);
        if (isRemedyAction(action, commands)) {
          reopenUndone(action);
          for (const trace of openTraces()) trace.since.push(action);
        }
        for (const passed of passedChecks(command)) if (commands.has(passed)) pass(passed, action);
      }
    }
  }
  return [...traces.values()].map(
    ({ shownBy, since: _since, extent: _extent, isUnobserved: _unobserved, isConfirmed, ...trace }) => ({
      ...trace,
      isParticular: trace.isParticular || addsMissing(trace.failure, trace.remedy),
      // The check failed for another reason and never passed: that reason may have hidden it.
      ...(trace.state === "solved" && !isConfirmed && { state: "open" as const, remedy: [] }),
      checks: [...shownBy].filter((check) => commands.has(check)),
      triedInVain: trace.triedInVain
        .map((tried) => tried.filter((action) => !explained.has(action)))
        .filter(({ length }) => length > 0),
    }),
  );
}

/** A line that passes has passed each of its checks, too. */
function passedChecks(command: string | undefined): Set<string> {
  return new Set(command === undefined ? [] : [command, ...chainOf(command)].map(commandShape));
}

const wrongCall =
  /\b(?:un(?:known|recogni[sz]ed|expected|supported)|invalid|illegal|no such) (?:option|argument|flag|(?:sub)?command|switch)s?\b|\bno (?:\w+ )?target named\b/i;

function isAboutCall({ message, file, test }: Failure): boolean {
  return file === undefined && test === undefined && wrongCall.test(message);
}

interface Group {
  isParticular: boolean;
  failures: Failure[];
}

function groupByKey(failures: readonly Failure[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const failure of failures) {
    const { key, isParticular } = failureKey(failure);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { isParticular, failures: [failure] });
    else group.failures.push(failure);
  }
  return groups;
}

function newTrace(
  key: string,
  { isParticular, failures }: Group,
  { check, attempt, sight }: { check: string; attempt: number; sight: number },
): OpenTrace {
  return {
    key,
    isParticular,
    failure: failures[0] as Failure,
    gists: gistsOf(failures),
    files: filesOf(failures),
    checks: [],
    attempts: [attempt],
    sights: [sight],
    state: "open",
    remedy: [],
    triedInVain: [],
    shownBy: new Set([check]),
    since: [],
    extent: extentOf(failures),
    isConfirmed: false,
    isUnobserved: false,
  };
}

function areNearlyEqual(one: string, other: string): boolean {
  if (one.startsWith(other) || other.startsWith(one)) return true;
  const [words, others] = [new Set(one.split(/\W+/)), new Set(other.split(/\W+/))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= 0.8 * Math.min(words.size, others.size) && shared >= 4;
}

function gistsOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.map((failure) => failureGist(describeFailure(failure))))];
}

function filesOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.flatMap(({ file }) => file ?? []))];
}

function addNew<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) if (!list.includes(item)) list.push(item);
}

function extentOf(failures: readonly Failure[]): Extent {
  const quantity =
    /(\d+(?:\.\d+)?)\s?(?:[kmg]i?b|bytes|%|errors?|problems?|warnings?|issues?|failures?|queries)\b/i;
  const [, size = "0"] = quantity.exec(failures[0]?.message ?? "") ?? [];
  return { count: failures.length, size: Number(size) };
}

/** Less of the same failure is progress: what was done counts towards its remedy. */
function isSmaller(now: Extent, before: Extent): boolean {
  return now.count < before.count || (now.count === before.count && now.size < before.size);
}
