import { readFileSync } from "node:fs";

/** A process of ours, as the place from which on later ones are looked for. */
export interface FirstProcess {
  pid: number;
  /** Start time in the system's own units. */
  started: string | undefined;
  /** How many processes the system had started before it. */
  forks: number | undefined;
}

/** How many processes and threads the system has started; undefined where it does not tell. */
export function countForks(): number | undefined {
  return readNumber("/proc/stat", /^processes (\d+)$/m);
}

/**
 * Process ids are given out in turn. Unless the system may have begun again from the lowest since then, all processes that
 * started after this one have higher ids, and the others need not be looked at.
 */
export function haveLaterHigherIds({ pid, forks }: FirstProcess): boolean {
  const now = countForks();
  const inUse = readNumber("/proc/loadavg", /\/(\d+) /);
  const highest = readNumber("/proc/sys/kernel/pid_max", /^(\d+)/);
  if (forks === undefined || now === undefined || inUse === undefined || highest === undefined) return false;
  return pid + (now - forks) + inUse < highest;
}

function readNumber(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, "latin1"))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}
