import type { ProcessEntry } from "./process-table.js";

/** For systems without /proc. */
export function askPs(pid: number): ProcessEntry | undefined {
  return ps("-p", String(pid), "-o", columns).flatMap((line) => parsePsLine(line) ?? [])[0];
}

/** With the command and its environment, as far as the system shows them. */
export function listByPs(): (ProcessEntry & { words: string })[] {
  return ps("-E", "-ax", "-ww", "-o", `${columns},command=`).flatMap((line) => parsePsLine(line) ?? []);
}

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

function ps(...args: string[]): string[] {
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", args, { encoding: "latin1", env, maxBuffer });
  return stdout?.split("\n") ?? [];
}
