import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { askPs } from "./ps-table.js";

/** A process as listed by the system. */
export interface ProcessEntry {
  pid: number;
  /** One letter; Z is a zombie. */
  state: string;
  parent: number;
  group: number;
  /** Start time in the system's own units: process ids are reused. */
  started: string;
  /** A thread of the system's own. */
  isKernel?: boolean;
}

export const hasProc = process.platform === "linux";

export function findProcess(pid: number): ProcessEntry | undefined {
  if (!hasProc) return askPs(pid);
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  // The name before it may contain anything, even parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent, group] = fields;
  const isKernel = (Number(fields[6]) & kernelFlag) !== 0;
  return {
    ...{ pid, state, parent: Number(parent), group: Number(group), started: fields[19] ?? "" },
    ...(isKernel && { isKernel }),
  };
}

/** Undefined on systems without /proc. */
export function listProcesses(): ProcessEntry[] | undefined {
  return listProcessIds()?.flatMap((pid) => findProcess(pid) ?? []);
}

/** A process that has ended and that nobody has noticed yet (a zombie) does not run. */
export function isRunning({ state }: ProcessEntry): boolean {
  return !state.startsWith("Z") && !state.startsWith("X");
}

export function readProcessFile(pid: number, file: "cmdline" | "environ"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}

const kernelFlag = 0x200000;
const line = Buffer.alloc(1024);

/** Read for every process of the machine, which is twice as fast as with `readFileSync`. */
function readStat(pid: number): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/stat`, "r");
    return line.toString("latin1", 0, readSync(file, line));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Undefined on systems without /proc. */
export function listProcessIds(): number[] | undefined {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  } catch {
    return undefined;
  }
}
