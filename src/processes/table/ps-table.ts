import type { ProcessEntry, ProcessTable } from "./process-entry.js";

/** From the program ps, as on macOS and the BSDs; each question starts it once. */
export const psTable: ProcessTable = {
  find: (pid) => parseLines(ps("-p", String(pid), "-o", columns))[0],
  list: () => parseLines(ps("-A", "-o", columns)),
  commandLine: (pid) => wordsOf(ps("-ww", "-p", String(pid), "-o", "command=")),
  environment: (pid) => ps(...withEnvironment, "-p", String(pid), "-o", "command=")[0],
};

/** All processes with command and environment, as far as the system shows them. */
export function listByPs(): (ProcessEntry & { words: string })[] {
  return parseLines(ps(...withEnvironment, everything, "-o", `${columns},command=`));
}

const isApple = process.platform === "darwin";
/** What shows the environment is -E for one kind of ps, and e without a hyphen for the others. */
const withEnvironment = isApple ? ["-E", "-ww"] : ["eww"];
const everything = isApple ? "-ax" : "ax";
const columns = "pid=,ppid=,pgid=,stat=,lstart=";
const maxBuffer = 64 * 1024 * 1024;

/** `lstart` is five words, such as "Mon Jun  1 12:00:00 2026". */
export function parsePsLine(line: string): (ProcessEntry & { words: string }) | undefined {
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

function parseLines(lines: readonly string[]): (ProcessEntry & { words: string })[] {
  return lines.flatMap((line) => parsePsLine(line) ?? []);
}

function wordsOf([line = ""]: readonly string[]): string[] {
  return line === "" ? [] : line.trim().split(/\s+/);
}

/** The same text for the same moment, wherever it is asked: English, and in one time zone. */
function ps(...args: string[]): string[] {
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", args, { encoding: "latin1", env, maxBuffer });
  return stdout?.split("\n") ?? [];
}
