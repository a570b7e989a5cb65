import { basename } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { isOnThisMachine, thisMachine } from "./machine.js";
import { processMark } from "./marks.js";
import { isRunning } from "./table/process-entry.js";
import { commandLineOf, findProcess } from "./table/process-table.js";

/** A process of this machine, as a record that others can check. */
export function runnerOf(pid: number): Runner {
  const started = startOf(pid);
  return { pid, ...thisMachine(), ...(started !== undefined && { started }) };
}

/** This process, with the mark of what it starts. */
export function thisRunner(): Runner {
  return { ...runnerOf(process.pid), mark: processMark() };
}

/**
 * The process that drives an attempt started by a command: its parent; or, if the parent was started for this one command, such
 * as the shell of an agent or `timeout`, the process that started that.
 */
export function callingRunner(pid: number = process.ppid, words = process.argv.slice(2)): Runner {
  let runner = pid;
  for (let depth = 0; depth < maxWrappers && isForOneCommand(runner, words); depth += 1) {
    const parent = parentOf(runner);
    if (parent === undefined || parent <= 1) break;
    runner = parent;
  }
  return runnerOf(runner);
}

const maxWrappers = 8;
const shells = ["sh", "bash", "dash", "ash", "zsh", "ksh", "fish"];

/** Unknown: it is on another machine, or too little was recorded to tell it from another process. */
export type RunnerState = "running" | "gone" | "unknown";

export function stateOf(runner: Runner | undefined): RunnerState {
  if (runner === undefined || !isOnThisMachine(runner)) return "unknown";
  // In a container, Ralph may well be process 1.
  if (!Number.isSafeInteger(runner.pid) || runner.pid < 1) return "gone";
  try {
    process.kill(runner.pid, 0);
  } catch (error) {
    if (isSystemError(error, "ESRCH")) return "gone";
  }
  const entry = findProcess(runner.pid);
  if (entry === undefined || runner.started === undefined) return "unknown";
  // The process id may have been reused.
  return isSameStart(entry.started, runner.started) && isRunning(entry) ? "running" : "gone";
}

/** A date that ps tells may be off by a second each time; a process id is not reused so soon. */
function isSameStart(one: string, other: string): boolean {
  if (one === other || !one.includes(":")) return one === other;
  return Math.abs(Date.parse(`${one} UTC`) - Date.parse(`${other} UTC`)) <= maxDriftMs;
}

const maxDriftMs = 1000;

export function isThisProcess(runner: Runner): boolean {
  return runner.pid === process.pid && stateOf(runner) === "running";
}

/** Sends a signal if the process is provably the recorded one; returns whether it did. */
export function signalRunner(runner: Runner, signal: NodeJS.Signals): boolean {
  if (stateOf(runner) !== "running") return false;
  try {
    return process.kill(runner.pid, signal);
  } catch {
    return false;
  }
}

/** Records may hold anything; a signal to the group 0 or 1 would reach many processes that are not ours. */
export function canBeGroup(pid: unknown): boolean {
  return Number.isSafeInteger(pid) && (pid as number) > 1;
}

/** A shell with a command, or a program such as `timeout` or `npx` that was given the words of this command. */
function isForOneCommand(pid: number, words: readonly string[]): boolean {
  const [program = "", ...args] = commandLineOf(pid);
  // Joined, because ps does not tell where a word ends.
  if (words.length > 0 && ` ${args.join(" ")}`.endsWith(` ${words.join(" ")}`)) return true;
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
