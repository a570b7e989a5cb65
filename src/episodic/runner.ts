import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";
import type { Runner } from "../domain/attempt.js";
import { isSystemError } from "../domain/ralph-error.js";

/** A process of this machine, for a record that others can check. */
export function runnerOf(pid: number): Runner {
  const started = startOf(pid);
  return { pid, host: hostname(), ...(started !== undefined && { started }) };
}

/**
 * The process that drives an attempt when a command starts it: its parent, or, where that is a shell that was made for this
 * one command, as agents and package scripts make them, whoever made the shell.
 */
export function callingRunner(pid: number = process.ppid): Runner {
  let runner = pid;
  for (let height = 0; height < maxShells && isShellForOneCommand(runner); height += 1) {
    const parent = parentOf(runner);
    if (parent === undefined || parent <= 1) break;
    runner = parent;
  }
  return runnerOf(runner);
}

const maxShells = 8;
const shells = ["sh", "bash", "dash", "ash", "zsh", "ksh", "fish"];

/** True when it is known that the process has ended; one on another machine may still run. */
export function isGone(runner: Runner | undefined): boolean {
  if (runner === undefined || runner.host !== hostname()) return false;
  try {
    process.kill(runner.pid, 0);
  } catch (error) {
    return isSystemError(error, "ESRCH");
  }
  // Another process may have got its number since.
  const started = startOf(runner.pid);
  return runner.started !== undefined && started !== undefined && started !== runner.started;
}

function isShellForOneCommand(pid: number): boolean {
  const [program = "", ...args] = readProcess(pid, "cmdline")?.split("\0") ?? [];
  if (!shells.includes(basename(program).replace(/^-/, ""))) return false;
  const options = args.slice(
    0,
    args.findIndex((word) => !word.startsWith("-")),
  );
  return options.some((word) => /^-[a-z]*c[a-z]*$/.test(word));
}

function parentOf(pid: number): number | undefined {
  const parent = Number(fieldsOf(pid)?.[1]);
  return Number.isSafeInteger(parent) ? parent : undefined;
}

/** When a process began, in the system's own count; known on Linux only. */
function startOf(pid: number): string | undefined {
  return fieldsOf(pid)?.[19];
}

/** What the system says of a process behind its name, which may hold anything: state, parent, and so on. */
function fieldsOf(pid: number): string[] | undefined {
  const stat = readProcess(pid, "stat");
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readProcess(pid: number, file: "cmdline" | "stat"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
