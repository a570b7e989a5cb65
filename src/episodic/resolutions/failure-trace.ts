import type { Action } from "../../domain/tasks/action.js";
import { describeFailure, type Failure } from "../../failures/failure.js";
import { failureKey } from "../../failures/failure-key.js";
import { failureGist } from "../../text/same-failure.js";

/** What became of one failure of a task. */
export interface FailureTrace {
  key: string;
  /** It does not apply to other tasks. */
  isParticular: boolean;
  /** The last occurrence. */
  failure: Failure;
  /** Its occurrences as described, without numbers. */
  gists: string[];
  /** The files in which it occurred. */
  files: string[];
  /** The commands that showed it. */
  checks: string[];
  /** The attempts in which it was seen. */
  attempts: number[];
  /** The outputs in which it was seen, numbered over the task: failures that share a number were seen together. */
  sights: number[];
  /** `flaky`: it disappeared although nothing was done about it. */
  state: "open" | "solved" | "flaky";
  /** The actions that made it go away. */
  remedy: Action[];
  /** Actions after which it was still there. */
  triedInVain: Action[][];
}

/** A trace that is still being followed. */
export interface OpenTrace extends FailureTrace {
  /** The checks that showed it: commands, verifications and ends of attempts. */
  shownBy: Set<string>;
  /** Actions since it was last seen. */
  since: Action[];
  extent: Extent;
  /** The check passed later, or the task succeeded. */
  isConfirmed: boolean;
  /** It was last seen when the work was judged, and the agent recorded no action since. */
  isUnobserved: boolean;
}

/** The size of a failure: its occurrences, and the first quantity in its message. */
interface Extent {
  count: number;
  size: number;
}

/** Failures of one output with the same key. */
export interface Group {
  isParticular: boolean;
  failures: Failure[];
}

export function groupByKey(failures: readonly Failure[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const failure of failures) {
    const { key, isParticular } = failureKey(failure);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { isParticular, failures: [failure] });
    else group.failures.push(failure);
  }
  return groups;
}

export function newTrace(
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

export function areNearlyEqual(one: string, other: string): boolean {
  if (one.startsWith(other) || other.startsWith(one)) return true;
  const [words, others] = [new Set(one.split(/\W+/)), new Set(other.split(/\W+/))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= 0.8 * Math.min(words.size, others.size) && shared >= 4;
}

export function gistsOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.map((failure) => failureGist(describeFailure(failure))))];
}

export function filesOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.flatMap(({ file }) => file ?? []))];
}

export function addNew<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) if (!list.includes(item)) list.push(item);
}

export function extentOf(failures: readonly Failure[]): Extent {
  const quantity =
    /(\d+(?:\.\d+)?)\s?(?:[kmg]i?b|bytes|%|errors?|problems?|warnings?|issues?|failures?|queries)\b/i;
  const [, size = "0"] = quantity.exec(failures[0]?.message ?? "") ?? [];
  return { count: failures.length, size: Number(size) };
}

/** Fewer of the same failure is progress: the actions count towards its remedy. */
export function isSmaller(now: Extent, before: Extent): boolean {
  return now.count < before.count || (now.count === before.count && now.size < before.size);
}
