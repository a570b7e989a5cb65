import { setTimeout as pause } from "node:timers/promises";
import { isCgroupOf, killCgroup, removeCgroup } from "./cgroup.js";
import { findMarked, type LookForMarked, lookForMarked, type Marked } from "./look-for-marked.js";
import type { ProcessEntry } from "./table/process-entry.js";

/** Between two looks a process may start another one and end, so one empty look proves nothing. */
const emptyLooks = 2;
/** On a busy machine some process is always just gone. */
const maxLooks = 50;
/** What goes on starting others is chased for so long. */
const killingMs = 10_000;
const killingNowMs = 2000;

/** Asks them to end, and kills them after the grace period, or at once when `hurry` is aborted; returns what is left. */
export async function endMarked(
  marked: Marked,
  graceMs: number,
  hurry?: AbortSignal,
  look: LookForMarked = lookForMarked(marked),
): Promise<ProcessEntry[]> {
  const end = performance.now() + graceMs;
  const asked = new Set<string>();
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.5, 50)) {
    const found = findAny(look);
    if (found.length === 0) break;
    if (performance.now() >= end || hurry?.aborted) return killMarked(marked);
    for (const entry of found.filter((each) => !asked.has(keyOf(each)))) {
      asked.add(keyOf(entry));
      signal(entry, "SIGTERM");
      // A stopped process handles SIGTERM only after it continues.
      signal(entry, "SIGCONT");
    }
    await pause(waitMs);
  }
  forget(marked);
  return [];
}

async function killMarked(marked: Marked): Promise<ProcessEntry[]> {
  const end = performance.now() + killingMs;
  while (strike(marked, end) > 0 && performance.now() < end) await pause(5);
  forget(marked);
  return findMarked(marked);
}

/** The same for a process that is about to exit and cannot wait. */
export function killMarkedNow(marked: Marked): void {
  const end = performance.now() + killingNowMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (strike(marked, end) > 0 && performance.now() < end) Atomics.wait(never, 0, 0, 2);
  forget(marked);
}

/** A stopped process starts no others: all are stopped before the first is killed. Returns how many there were. */
function strike(marked: Marked, end: number): number {
  const look = lookForMarked(marked);
  const stopped = new Map<string, ProcessEntry>();
  const stop = (entry: ProcessEntry) => {
    if (!stopped.has(keyOf(entry))) signal(entry, "SIGSTOP");
  };
  for (let fresh = findAny(look, stop); fresh.length > 0 && performance.now() < end; ) {
    for (const entry of fresh) stopped.set(keyOf(entry), entry);
    fresh = findAny(look, stop, (entry) => !stopped.has(keyOf(entry)));
  }
  if (marked.cgroup !== undefined && isCgroupOf(marked.cgroup, marked.mark)) killCgroup(marked.cgroup);
  for (const entry of stopped.values()) signal(entry, "SIGKILL");
  return stopped.size;
}

/** Looks until something is found, or until nothing can be there. */
function findAny(
  look: LookForMarked,
  onFound?: (entry: ProcessEntry) => void,
  isWanted: (entry: ProcessEntry) => boolean = () => true,
): ProcessEntry[] {
  for (let looks = 0, empty = 0; looks < maxLooks && empty < emptyLooks; looks += 1) {
    const { found, isSure } = look(onFound);
    const wanted = found.filter(isWanted);
    if (wanted.length > 0) return wanted;
    empty = isSure ? empty + 1 : 0;
  }
  return [];
}

function forget({ mark, cgroup }: Marked): void {
  if (cgroup !== undefined && isCgroupOf(cgroup, mark)) removeCgroup(cgroup);
}

function keyOf({ pid, started }: ProcessEntry): string {
  return `${pid} ${started}`;
}

function signal({ pid }: ProcessEntry, name: NodeJS.Signals): void {
  if (pid <= 1) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended, or we may not signal it.
  }
}
