import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { isSystemError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { findProcess, listProcesses, type ProcessEntry } from "./process-table.js";

/** How long killed processes may take to disappear; one that waits for a broken disk cannot be killed at all. */
const afterKillMs = 2000;
const lookEveryMs = 1000;

/** Whether a process of the group still runs; those that have ended and were not yet noticed by their parent do not count. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return !isSystemError(error, "ESRCH");
  }
  const members = listProcesses()?.filter((entry) => entry.group === group);
  return members === undefined || members.some(isRunning);
}

/**
 * Ends a group: politely, then by force after a time, or at once when asked to hurry. Then the groups that its processes made for
 * themselves, which agents do for the commands they run, and which they end themselves when they can. Tells whether all are gone.
 */
export async function endGroup(
  group: number,
  graceMs: number,
  hurry?: AbortSignal,
  knownBelow: readonly number[] = [],
): Promise<boolean> {
  const below = new Set([...knownBelow, ...groupsBelow(group)]);
  askToEnd(group);
  if (await untilGone([group], graceMs, hurry)) {
    if (!isAnyAlive(below)) return true;
    for (const each of below) askToEnd(each);
    if (await untilGone(below, graceMs, hurry)) return true;
  }
  const all = new Set([group, ...below, ...groupsBelow(group)]);
  for (const each of all) signalGroup(each, "SIGKILL");
  return untilGone(all, afterKillMs);
}

/** Ends a group at once, without waiting. */
export function killGroup(group: number): void {
  for (const each of [group, ...groupsBelow(group)]) signalGroup(each, "SIGKILL");
}

export type OrphanEnd =
  | { kind: "ended" }
  /** Nothing was there any more. */
  | { kind: "gone" }
  /** Left alone: another machine's, or it cannot be told whether this is still the same process. */
  | { kind: "left"; reason: string };

/** Ends the group of a program whose own runner was killed, when its leader is still the process that was recorded. */
export async function endOrphanGroup(leader: Runner, graceMs = 5000): Promise<OrphanEnd> {
  if (leader.host !== hostname()) return { kind: "left", reason: `it ran on ${leader.host}` };
  if (!isGroupAlive(leader.pid)) return { kind: "gone" };
  const entry = findProcess(leader.pid);
  if (entry === undefined || leader.started === undefined)
    return { kind: "left", reason: `it is not known whether group ${leader.pid} is still the same` };
  if (entry.started !== leader.started) return { kind: "gone" };
  const isGone = await endGroup(leader.pid, graceMs);
  return isGone ? { kind: "ended" } : { kind: "left", reason: `group ${leader.pid} cannot be ended` };
}

/**
 * Remembers the groups that a running program's processes make for themselves: when the program is killed from outside, nothing
 * else tells any more that they were its own.
 */
export function watchGroupsBelow(leader: number): { latest(): number[]; close(): void } {
  let latest: number[] = [];
  const look = () => {
    const entry = findProcess(leader);
    if (entry !== undefined && isRunning(entry)) latest = groupsBelow(leader);
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { latest: () => latest, close: () => clearInterval(timer) };
}

/** A program that leads a group, for a record that others can check. */
export function runnerOfGroup(pid: number): Runner {
  const started = findProcess(pid)?.started;
  return { pid, host: hostname(), ...(started !== undefined && { started }) };
}

/** True when it is gone before the time is over. */
export async function untilGroupGone(group: number, timeMs: number, hurry?: AbortSignal): Promise<boolean> {
  return untilGone([group], timeMs, hurry);
}

async function untilGone(groups: Iterable<number>, timeMs: number, hurry?: AbortSignal): Promise<boolean> {
  const end = performance.now() + timeMs;
  for (let waitMs = 5; isAnyAlive(groups); waitMs = Math.min(waitMs * 1.5, 50)) {
    if (performance.now() >= end || hurry?.aborted) return false;
    await pause(waitMs);
  }
  return true;
}

function isAnyAlive(groups: Iterable<number>): boolean {
  return [...groups].some(isGroupAlive);
}

/** The groups of what a process started, of what that started, and so on. */
function groupsBelow(leader: number): number[] {
  const entries = listProcesses() ?? [];
  const below = (pid: number): ProcessEntry[] =>
    entries.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  const groups = new Set(below(leader).map(({ group }) => group));
  return [...groups].filter((group) => group > 1 && group !== leader);
}

function isRunning({ state }: ProcessEntry): boolean {
  return state !== "Z" && state !== "X";
}

function askToEnd(group: number): void {
  signalGroup(group, "SIGTERM");
  // One that was stopped would notice only later.
  signalGroup(group, "SIGCONT");
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended by itself, or is not ours to end.
  }
}
