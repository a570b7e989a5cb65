import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import type { ProcessEntry, ProcessTable } from "./process-entry.js";

/** From /proc, as on Linux. */
export const procTable: ProcessTable = {
  find: findInProc,
  list: () => listProcessIds().flatMap((pid) => findInProc(pid) ?? []),
  commandLine: (pid) => read(pid, "cmdline")?.replace(/\0$/, "").split("\0") ?? [],
  environment: (pid) => read(pid, "environ"),
};

export function listProcessIds(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

function findInProc(pid: number): ProcessEntry | undefined {
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

function read(pid: number, file: "cmdline" | "environ"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}

const kernelFlag = 0x200000;
let line: Buffer | undefined;

/** Read for every process of the machine, which is twice as fast as with `readFileSync`. */
function readStat(pid: number): string | undefined {
  let file: number | undefined;
  line ??= Buffer.allocUnsafeSlow(1024);
  try {
    file = openSync(`/proc/${pid}/stat`, "r");
    return line.toString("latin1", 0, readSync(file, line));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
