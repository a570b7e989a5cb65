import { hostname } from "node:os";
import { basename } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { findProcess, readProcessFile } from "./process-table.js";

/** A process of this machine, as a record that others can check. */
export function runnerOf(pid: number): Runner {
  const started = startOf(pid);
  return { pid, host: hostname(), ...(started !== undefined && { started }) };
}

/**
 * The process that drives an attempt started by a command: its parent; or, if the parent is a shell started for this one
 * command, as agents and package scripts do, the process that started the shell.
 */
export function callingRunner(pid: number = process.ppid): Runner {
  let runner = pid;
  for (let depth = 0; depth < maxShells && isShellForOneCommand(runner); depth += 1) {
    const parent = parentOf(runner);
    if (parent === undefined || parent <= 1) break;
    runner = parent;
  }
  return runnerOf(runner);
}

const maxShells = 8;
const shells = ["sh", "bash", "dash", "ash", "zsh", "ksh", "fish"];

/** True if the process is known to have ended; one on another machine may still be running. */
export function isGone(runner: Runner | undefined): boolean {
  if (runner === undefined || runner.host !== hostname()) return false;
  try {
    process.kill(runner.pid, 0);
  } catch (error) {
    return isSystemError(error, "ESRCH");
  }
  // The process id may have been reused.
  const started = startOf(runner.pid);
  return runner.started !== undefined && started !== undefined && started !== runner.started;
}

function isShellForOneCommand(pid: number): boolean {
  const [program = "", ...args] = readProcessFile(pid, "cmdline")?.split("\0") ?? [];
  if (!shells.includes(basename(program).replace(/^-/, ""))) return false;
  const options = args.slice(
    0,
    args.findIndex((word) => !word.startsWith("-")),
  );
  return options.some((word) => /^-[a-z]*c[a-z]*$/.test(word));
}

function parentOf(pid: number): number | undefined {
  return findProcess(pid)?.parent;
}

function startOf(pid: number): string | undefined {
  return findProcess(pid)?.started;
}
