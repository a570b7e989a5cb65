import { readdirSync, readFileSync } from "node:fs";
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
  const stat = read(pid, "stat");
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

/** Node reads this encoding in one step, and any other one, or bytes, in many. */
function read(pid: number, file: "cmdline" | "environ" | "stat"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

const kernelFlag = 0x200000;
