import { setTimeout as pause } from "node:timers/promises";
import { isSystemError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { isOnThisMachine } from "./machine.js";
import { canBeGroup, stateOf } from "./runner.js";
import { endMarked } from "./sweep.js";
import { isRunning, type ProcessEntry } from "./table/process-entry.js";
import { listProcesses, processSystem } from "./table/process-table.js";
import { killTree } from "./windows/kill-tree.js";

/** How long killed processes may take to disappear; one stuck in disk I/O cannot be killed at all. */
const afterKillMs = 2000;
/** With ps, a look takes another process; on Windows it tells nothing. */
const pollMs = { proc: 1000, ps: 2000, windows: 60_000 };

/** Whether a process of the group still runs; zombies do not count. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(groupId(group), 0);
  } catch (error) {
    // Otherwise some process is there: of another user or, as macOS says it, ended and not noticed yet.
    if (isSystemError(error, "ESRCH")) return false;
  }
  const members = listProcesses()?.filter((entry) => entry.group === group);
  return members === undefined || members.some(isRunning);
}

/**
 * Ends a group: SIGTERM first, SIGKILL after the grace period, or at once when `hurry` is aborted. Then ends the groups that its
 * processes created, as agents do for the commands they run and usually clean up themselves. Returns whether all are gone.
 */
export async function endGroup(
  group: number,
  graceMs: number,
  hurry?: AbortSignal,
  knownChildren: readonly number[] = [],
): Promise<boolean> {
  const children = new Set([...knownChildren, ...childGroups(group)]);
  terminateGroup(group);
  if (await waitUntilGone([group], graceMs, hurry)) {
    if (!isAnyAlive(children)) return true;
    for (const each of children) terminateGroup(each);
    if (await waitUntilGone(children, graceMs, hurry)) return true;
  }
  const all = new Set([group, ...children, ...childGroups(group)]);
  for (const each of all) signalGroup(each, "SIGKILL");
  return waitUntilGone(all, afterKillMs);
}

/** Kills a group without waiting for its end. */
export function killGroup(group: number): void {
  for (const each of [group, ...childGroups(group)]) signalGroup(each, "SIGKILL");
}

/**
 * Ends the group of a program whose runner was killed, if its leader is still the recorded process, and all that carries its
 * mark. Returns why something was left alone, if it was: on another machine, or possibly a different process by now.
 */
export async function endOrphanGroup(leader: Runner, graceMs = 5000): Promise<string | undefined> {
  const { pid, mark, cgroup, host } = leader;
  const state = stateOf(leader);
  if (state === "running" && canBeGroup(pid) && !(await endGroup(pid, graceMs)))
    return `group ${pid} could not be killed`;
  if (mark !== undefined) {
    const [left] = await endMarked({ mark, cgroup }, graceMs);
    if (left !== undefined) return `process ${left.pid} could not be killed`;
  }
  if (state === "unknown" && !isOnThisMachine(leader)) return `it ran on ${host}`;
  if (state === "unknown" && canBeGroup(pid) && isGroupAlive(pid))
    return `group ${pid} may belong to another program by now`;
  return undefined;
}

/**
 * Tracks the groups that a running program's processes create: once the program is killed from outside, nothing else links them
 * to it.
 */
export function watchChildGroups(leader: number): { latest(): number[]; close(): void } {
  let latest: number[] = [];
  const poll = () => {
    const entries = listProcesses() ?? [];
    const entry = entries.find(({ pid }) => pid === leader);
    if (entry !== undefined && isRunning(entry)) latest = childGroups(leader, entries);
  };
  const timer = setInterval(poll, pollMs[processSystem()]).unref();
  return { latest: () => latest, close: () => clearInterval(timer) };
}

async function waitUntilGone(
  groups: Iterable<number>,
  timeMs: number,
  hurry?: AbortSignal,
): Promise<boolean> {
  return waitUntil(() => !isAnyAlive(groups), timeMs, hurry);
}

/** False if it is not so after the given time, or when `hurry` is aborted. */
export async function waitUntil(isSo: () => boolean, timeMs: number, hurry?: AbortSignal): Promise<boolean> {
  const end = performance.now() + timeMs;
  for (let waitMs = 5; !isSo(); waitMs = Math.min(waitMs * 1.5, 50)) {
    if (performance.now() >= end || hurry?.aborted) return false;
    await pause(waitMs);
  }
  return true;
}

function isAnyAlive(groups: Iterable<number>): boolean {
  return [...groups].some(isGroupAlive);
}

/** The groups of a process's descendants. */
function childGroups(leader: number, entries = listProcesses() ?? []): number[] {
  const descendants = (pid: number): ProcessEntry[] =>
    entries.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...descendants(child.pid)]);
  const groups = new Set(descendants(leader).map(({ group }) => group));
  return [...groups].filter((group) => group > 1 && group !== leader);
}

function terminateGroup(group: number): void {
  signalGroup(group, "SIGTERM");
  // A stopped process handles SIGTERM only after it continues.
  signalGroup(group, "SIGCONT");
}

/** Windows has no groups: the program that was started stands for what it started. */
function groupId(group: number): number {
  return processSystem() === "windows" ? group : -group;
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  if (!canBeGroup(group)) return;
  if (processSystem() === "windows") {
    if (signal !== "SIGCONT") killTree(group);
    return;
  }
  try {
    process.kill(groupId(group), signal);
  } catch {
    // It has already ended, or we may not signal it.
  }
}
