import { readdirSync, readFileSync } from "node:fs";

/** What the system tells about a process. */
export interface ProcessEntry {
  pid: number;
  /** One letter; Z is one that has ended and waits for its parent to notice. */
  state: string;
  parent: number;
  group: number;
  /** When it began, in the system's own count: numbers of processes are used again. */
  started: string;
}

/** Known on Linux only. */
export function findProcess(pid: number): ProcessEntry | undefined {
  const stat = readProcessFile(pid, "stat");
  if (stat === undefined) return undefined;
  // The name before it may hold anything, also parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent, group] = fields;
  return { pid, state, parent: Number(parent), group: Number(group), started: fields[19] ?? "" };
}

/** Nothing where the system keeps no such list. */
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
