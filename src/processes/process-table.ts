import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process as listed by the system. */
export interface ProcessEntry {
  pid: number;
  /** One letter, perhaps with more characters; Z is a zombie. */
  state: string;
  parent: number;
  group: number;
  /** Start time in the system's own units: process ids are reused. */
  started: string;
}

/** Whether a process runs; a zombie does not. */
export function isRunning({ state }: Pick<ProcessEntry, "state">): boolean {
  return !state.startsWith("Z") && !state.startsWith("X");
}

/** How a system lists its processes. */
interface ProcessTable {
  find(pid: number): ProcessEntry | undefined;
  /** Undefined where processes cannot be listed. */
  list(): ProcessEntry[] | undefined;
  /** Program and arguments; words with spaces may be split. */
  commandLine(pid: number): string[];
  /** The variables, separated by null characters or spaces; undefined if they cannot be read. */
  environment(pid: number): string | undefined;
}

/** From /proc, as on Linux. */
const procTable: ProcessTable = {
  find(pid) {
    const stat = readProc(pid, "stat");
    if (stat === undefined) return undefined;
    // The name before it may contain anything, even parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group] = fields;
    return { pid, state, parent: Number(parent), group: Number(group), started: fields[19] ?? "" };
  },
  list: () => listProcessIds().flatMap((pid) => procTable.find(pid) ?? []),
  commandLine: (pid) => readProc(pid, "cmdline")?.replace(/\0$/, "").split("\0") ?? [],
  environment: (pid) => readProc(pid, "environ"),
};

export function listProcessIds(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

function readProc(pid: number, file: "cmdline" | "environ" | "stat"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

/** From the program ps, as on macOS and the BSDs; each question starts it once. */
export const psTable: ProcessTable = {
  find: (pid) => parseLines(ps("-p", String(pid), "-o", columns))[0],
  list: () => parseLines(ps("-A", "-o", columns)),
  commandLine: (pid) => ps("-ww", "-p", String(pid), "-o", "command=")[0]?.trim().split(/\s+/) ?? [],
  environment: (pid) => ps(...withEnvironment, "-p", String(pid), "-o", "command=")[0],
};

type PsLine = ProcessEntry & { words: string };

/** All processes with command and environment, as far as the system shows them. */
export function listByPs(): PsLine[] {
  return parseLines(ps(...withEnvironment, everything, "-o", `${columns},command=`));
}

const isApple = process.platform === "darwin";
/** One kind of ps shows the environment with -E, the others with e without a hyphen. */
const withEnvironment = isApple ? ["-E", "-ww"] : ["eww"];
const everything = isApple ? "-ax" : "ax";
const columns = "pid=,ppid=,pgid=,stat=,lstart=";
const maxBuffer = 64 * 1024 * 1024;

/** `lstart` is five words, such as "Mon Jun  1 12:00:00 2026". */
export function parsePsLine(line: string): PsLine | undefined {
  const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})(?:\s+(.*))?$/.exec(line);
  if (found === null) return undefined;
  const [, pid, parent, group, state = "", started = "", words = ""] = found;
  return {
    pid: Number(pid),
    state,
    parent: Number(parent),
    group: Number(group),
    started: started.replace(/\s+/g, " "),
    words,
  };
}

function parseLines(lines: readonly string[]): PsLine[] {
  return lines.flatMap((line) => parsePsLine(line) ?? []);
}

/** Makes ps print a moment the same way everywhere: in English and in one time zone. */
function ps(...args: string[]): string[] {
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const { stdout } = spawnSync("ps", args, { encoding: "latin1", env, maxBuffer });
  return stdout?.split("\n") ?? [];
}

/** Windows has no fast way to list processes: its own takes a second. */
const noTable: ProcessTable = {
  find: () => undefined,
  list: () => undefined,
  commandLine: () => [],
  environment: () => undefined,
};

const tables = { proc: procTable, ps: psTable, windows: noTable };

/** What a system offers to find and end processes. */
export type ProcessSystem = keyof typeof tables;

let system: ProcessSystem = systemOf(process.platform);

function systemOf(platform: NodeJS.Platform): ProcessSystem {
  if (platform === "win32") return "windows";
  return platform === "linux" && existsSync("/proc/self/stat") ? "proc" : "ps";
}

export function processSystem(): ProcessSystem {
  return system;
}

/** Lets tests try each system on one machine; returns the one that was used before. */
export function useProcessSystem(other: ProcessSystem): ProcessSystem {
  const before = system;
  system = other;
  return before;
}

export function findProcess(pid: number): ProcessEntry | undefined {
  return tables[system].find(pid);
}

/** Undefined where processes cannot be listed. */
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
