import { readdirSync, readFileSync } from "node:fs";

/** A process as listed by the system. */
export interface ProcessEntry {
  pid: number;
  /** One letter; Z is a zombie. */
  state: string;
  parent: number;
  group: number;
  /** Start time in the system's own units: process ids are reused. */
  started: string;
}

/** Works on Linux only. */
export function findProcess(pid: number): ProcessEntry | undefined {
  const stat = readProcessFile(pid, "stat");
  if (stat === undefined) return undefined;
  // The name before it may contain anything, even parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent, group] = fields;
  return { pid, state, parent: Number(parent), group: Number(group), started: fields[19] ?? "" };
}

/** Undefined on systems without /proc. */
export function listProcesses(): ProcessEntry[] | undefined {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => findProcess(Number(pid)) ?? []);
  } catch {
    return undefined;
  }
}

export function readProcessFile(pid: number, file: "cmdline" | "stat"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
