import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface MeasuredRun {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** It did not end by itself, and was killed. */
  isHung: boolean;
  /** At most, in megabytes; 0 if nobody can tell. */
  peakMegabytes: number;
}

export interface MeasuredOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  input: string;
  limitMs: number;
  uid: number | undefined;
  build: { node: string; program: string };
}

const preload = join(import.meta.dirname, "peak-memory.cjs");
const mostOutput = 1024 * 1024;

/** Runs the built command with a limit of time, and measures its memory. */
export function runMeasured(
  args: readonly string[],
  { cwd, env, input, limitMs, uid, build }: MeasuredOptions,
): Promise<MeasuredRun> {
  return new Promise((done, fail) => {
    const child = spawn(build.node, ["--require", preload, build.program, ...args], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      // Killed with all that it started.
      detached: true,
      ...(uid !== undefined && { uid, gid: uid }),
    });
    const texts = ["", "", "", ""];
    for (const index of [1, 2, 3])
      child.stdio[index]?.on("data", (chunk: Buffer) => {
        if ((texts[index]?.length ?? 0) < mostOutput) texts[index] += chunk.toString("utf8");
      });
    let isHung = false;
    let peakMegabytes = 0;
    const limit = setTimeout(() => {
      isHung = true;
      peakMegabytes = peakOf(child.pid);
      killGroup(child.pid);
    }, limitMs);
    child.on("error", fail);
    child.on("close", (status, signal) => {
      clearTimeout(limit);
      // What it left behind, such as a program that waits for a pipe.
      killGroup(child.pid);
      const told = Number(texts[3]?.trim()) / 1024;
      done({
        ...{ status, signal, stdout: texts[1] ?? "", stderr: texts[2] ?? "", isHung },
        peakMegabytes: Math.round(told > 0 ? told : peakMegabytes),
      });
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

function peakOf(pid: number | undefined): number {
  try {
    const found = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(found ?? 0) / 1024;
  } catch {
    return 0;
  }
}
