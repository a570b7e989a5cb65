import { existsSync } from "node:fs";
import { procTable } from "./proc-table.js";
import type { ProcessEntry, ProcessTable } from "./process-entry.js";
import { psTable } from "./ps-table.js";

/** What a system offers to find and end processes. */
export type ProcessSystem = "proc" | "ps" | "windows";

let system: ProcessSystem = systemOf(process.platform);

export function processSystem(): ProcessSystem {
  return system;
}

/** Lets tests try each system on one machine; returns the one that was used before. */
export function useProcessSystem(other: ProcessSystem): ProcessSystem {
  const before = system;
  system = other;
  return before;
}

function systemOf(platform: NodeJS.Platform): ProcessSystem {
  if (platform === "win32") return "windows";
  return platform === "linux" && existsSync("/proc/self/stat") ? "proc" : "ps";
}

/** On Windows nothing is told: its own way to ask takes a second. */
const noTable: ProcessTable = {
  find: () => undefined,
  list: () => undefined,
  commandLine: () => [],
  environment: () => undefined,
};

const tables = { proc: procTable, ps: psTable, windows: noTable };

export function findProcess(pid: number): ProcessEntry | undefined {
  return tables[system].find(pid);
}

/** Undefined where the system tells nothing. */
export function listProcesses(): ProcessEntry[] | undefined {
  return tables[system].list();
}

export function commandLineOf(pid: number): string[] {
  return tables[system].commandLine(pid);
}

/** The variables, separated by null characters or spaces; undefined if they cannot be read. */
export function environmentOf(pid: number): string | undefined {
  return tables[system].environment(pid);
}
