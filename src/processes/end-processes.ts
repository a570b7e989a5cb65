import { setTimeout as pause } from "node:timers/promises";
import { isSystemError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { carriesMark } from "./marks.js";
import {
  environmentOf,
  findProcess,
  isRunning,
  listByPs,
  listProcesses,
  listProcessIds,
  type ProcessEntry,
  processSystem,
} from "./process-table.js";
import { canBeGroup, isOnThisMachine, stateOf } from "./runner.js";
import { killTree } from "./windows.js";

/** What a program started: its process group, and whatever carries its mark. */
interface Started {
  group?: number | undefined;
  mark?: string | undefined;
}

/** Grace period for processes that have not been signalled before, even if the overall one is over. */
const lastGraceMs = 1000;
/** How long to chase a program that keeps starting others. */
const killingMs = 10_000;
const killingNowMs = 2000;
/** On a busy machine, some process has always just ended. */
const maxLooks = 50;

/** Whether a process of the group still runs; zombies do not count. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(processSystem() === "windows" ? group : -group, 0);
  } catch (error) {
    // EPERM: the process is another user's or, on macOS, has ended and was not yet reaped.
    if (isSystemError(error, "ESRCH")) return false;
  }
  const members = listProcesses()?.filter((entry) => entry.group === group);
  return members === undefined || members.some(isRunning);
}

/** The running processes that carry a mark, whatever session, group and parent they have; never this process. */
export function findMarked(mark: string): ProcessEntry[] {
  return [...lookForMarked(mark)].filter((each) => each !== "gone");
}

/**
 * Yields each process as soon as it is found, because it may end at any moment, and "gone" for one that ended before it could be read: it
 * may have started another one. Skips the processes in `others` and adds those without the mark, so that the next scan outruns processes
 * that keep handing over to new ones.
 */
function* lookForMarked(mark: string, others = new Set<number>()): Generator<ProcessEntry | "gone"> {
  if (processSystem() === "windows") return;
  if (processSystem() === "ps") {
    for (const { words, ...entry } of listByPs())
      if (entry.pid !== process.pid && isRunning(entry) && carriesMark(words, mark)) yield entry;
    return;
  }
  const pids = listProcessIds();
  const listed = new Set(pids);
  for (const pid of others) if (!listed.has(pid)) others.delete(pid);
  // The newest processes have the highest numbers and are likely to end first.
  for (const pid of pids.toReversed()) {
    if (pid === process.pid || others.has(pid)) continue;
    const variables = environmentOf(pid);
    const entry = findProcess(pid);
    if (entry === undefined || !isRunning(entry)) yield "gone";
    else if (variables !== undefined && carriesMark(variables, mark)) yield entry;
    // The environment is also briefly empty while a process executes another program.
    else if (variables !== "") others.add(pid);
  }
}

/**
 * Ends what a program started and returns what is left. Signals the group first, because agents usually end their own commands, then the
 * other descendants and the processes that carry the mark. Kills what remains after the grace period or when `hurry` is aborted.
 */
export async function endStarted(
  { group, mark }: Started,
  graceMs: number,
  hurry?: AbortSignal,
): Promise<ProcessEntry[]> {
  const ends = performance.now() + graceMs;
  const descendants = group === undefined ? [] : descendantsOf(group);
  let isInTime = true;
  if (group !== undefined && isGroupAlive(group)) {
    // A stopped process handles SIGTERM only after it continues.
    for (const signal of ["SIGTERM", "SIGCONT"] as const) signalGroup(group, signal);
    isInTime = await waitUntil(() => !isGroupAlive(group), graceMs, hurry);
  }
  const others = new Set<number>();
  const asked = new Set<string>();
  /** False if a process was found, or may have been missed. */
  const askRest = (): boolean => {
    let isEmpty = true;
    for (const entry of lookForRest(mark, descendants, others)) {
      isEmpty = false;
      if (entry === "gone" || asked.has(keyOf(entry))) continue;
      asked.add(keyOf(entry));
      for (const name of ["SIGTERM", "SIGCONT"] as const) signal(entry, name);
    }
    return isEmpty;
  };
  const restMs = Math.max(ends - performance.now(), Math.min(graceMs, lastGraceMs));
  // Between two scans a process may start another one and end, so one empty scan proves nothing.
  const isOver = () => askRest() && askRest();
  if (isInTime && (await waitUntil(isOver, restMs, hurry))) return [];
  const end = performance.now() + killingMs;
  while (strike({ group, mark }, descendants, end) > 0 && performance.now() < end) await pause(5);
  return [...lookForRest(mark, descendants)].filter((each) => each !== "gone");
}

function* lookForRest(
  mark: string | undefined,
  descendants: readonly ProcessEntry[],
  others?: Set<number>,
): Generator<ProcessEntry | "gone"> {
  yield* descendants.filter(isStillRunning);
  if (mark !== undefined) yield* lookForMarked(mark, others);
}

/** Kills what a program started, for a process that is about to exit and cannot wait. */
export function killStartedNow(started: Started): void {
  const descendants = started.group === undefined ? [] : descendantsOf(started.group);
  const end = performance.now() + killingNowMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (strike(started, descendants, end) > 0 && performance.now() < end) Atomics.wait(never, 0, 0, 2);
}

/** A stopped process starts no others, so all are stopped before the first is killed. Returns their number. */
function strike({ group, mark }: Started, descendants: readonly ProcessEntry[], end: number): number {
  const stopped = new Map<string, ProcessEntry>();
  const others = new Set<number>();
  let empty = 0;
  for (let looks = 0; looks < maxLooks && empty < 2 && performance.now() < end; looks += 1) {
    empty += 1;
    for (const entry of lookForRest(mark, descendants, others)) {
      if (entry !== "gone" && stopped.has(keyOf(entry))) continue;
      empty = 0;
      if (entry === "gone") continue;
      signal(entry, "SIGSTOP");
      stopped.set(keyOf(entry), entry);
    }
  }
  if (group !== undefined) signalGroup(group, "SIGKILL");
  for (const entry of stopped.values()) signal(entry, "SIGKILL");
  return stopped.size;
}

/**
 * Ends the group of a program whose runner was killed, if its leader is still the recorded process, and everything that carries its mark.
 * Returns why something was left running, if so: it is on another machine, or possibly a different process by now.
 */
export async function endOrphanGroup(leader: Runner, graceMs = 5000): Promise<string | undefined> {
  const { pid, mark, host } = leader;
  const state = stateOf(leader);
  const group = state === "running" && canBeGroup(pid) ? pid : undefined;
  const [left] = await endStarted({ group, mark }, graceMs);
  if (left !== undefined) return `process ${left.pid} could not be killed`;
  if (state === "unknown" && !isOnThisMachine(leader)) return `it ran on ${host}`;
  if (state === "unknown" && canBeGroup(pid) && isGroupAlive(pid))
    return `group ${pid} may belong to another program by now`;
  return undefined;
}

/** False if the condition is not met in time, or when `hurry` is aborted. */
export async function waitUntil(isSo: () => boolean, timeMs: number, hurry?: AbortSignal): Promise<boolean> {
  const end = performance.now() + timeMs;
  for (let waitMs = 5; !isSo(); waitMs = Math.min(waitMs * 1.5, 50)) {
    if (performance.now() >= end || hurry?.aborted) return false;
    await pause(waitMs);
  }
  return true;
}

/** Includes those outside the group. */
function descendantsOf(leader: number): ProcessEntry[] {
  const entries = listProcesses() ?? [];
  const below = (pid: number): ProcessEntry[] =>
    entries.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(leader);
}

function isStillRunning({ pid, started }: ProcessEntry): boolean {
  const entry = findProcess(pid);
  return entry !== undefined && entry.started === started && isRunning(entry);
}

function keyOf({ pid, started }: ProcessEntry): string {
  return `${pid} ${started}`;
}

function signal({ pid }: ProcessEntry, name: NodeJS.Signals): void {
  send(pid > 1 ? pid : undefined, name);
}

function signalGroup(group: number, name: NodeJS.Signals): void {
  if (processSystem() !== "windows") send(canBeGroup(group) ? -group : undefined, name);
  else if (name !== "SIGCONT" && canBeGroup(group)) killTree(group);
}

function send(target: number | undefined, name: NodeJS.Signals): void {
  try {
    if (target !== undefined) process.kill(target, name);
  } catch {
    // It has already ended, or belongs to another user.
  }
}
