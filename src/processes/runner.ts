import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";
import type { Environment } from "../domain/environment.js";
import { isSystemError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { processMark } from "./marks.js";
import { commandLineOf, environmentOf, findProcess, isRunning } from "./process-table.js";

/** Where process ids mean the same: one boot of one machine, and one space of process ids, as each container has its own. */
interface Machine {
  host: string;
  boot?: string;
  space?: string;
}

let known: Machine | undefined;

/** This one. Boot and space are known on Linux only. */
function thisMachine(): Machine {
  known ??= {
    host: hostName(),
    ...read("boot", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    ...read("space", () => readlinkSync("/proc/self/ns/pid")),
  };
  return known;
}

/** By the host's own name only if there is nothing better: containers change it, and share it. A given name tells machines apart. */
export function isOnThisMachine({ host, boot, space }: Machine): boolean {
  const here = thisMachine();
  if (givenHostName() !== undefined && host !== here.host) return false;
  if (boot === undefined || here.boot === undefined) return host === here.host;
  return boot === here.boot && space === here.space;
}

function read(name: "boot" | "space", look: () => string): Partial<Machine> {
  try {
    return { [name]: look() };
  } catch {
    return {};
  }
}

/** The name of this machine in records: the one that the user gave it, since containers get a new one each time. */
export function hostName(): string {
  return givenHostName() ?? hostname();
}

function givenHostName(): string | undefined {
  return process.env.RALPH_HOST || undefined;
}

/** A process of this machine, as a record that others can check. */
export function runnerOf(pid: number): Runner {
  const started = findProcess(pid)?.started;
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
    const parent = findProcess(runner)?.parent;
    if (parent === undefined || parent <= 1) break;
    runner = parent;
  }
  return runnerOf(runner);
}

const maxWrappers = 8;
const shells = ["sh", "bash", "dash", "ash", "zsh", "ksh", "fish"];

/** Unknown: it is on another machine, or too little was recorded to tell it from another process. */
type RunnerState = "running" | "gone" | "unknown";

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

const taskVariable = "RALPH_TASK";

/** Whether this process was started by the agent of a run: it has the task in its environment, or a process above it has. */
export function isStartedByAgent(environment: Environment, parent = process.ppid): boolean {
  return Boolean(environment[taskVariable]) || isBelowAgent(parent);
}

function isBelowAgent(pid: number): boolean {
  const parent = findProcess(pid)?.parent ?? 0;
  const variables = environmentOf(pid) ?? "";
  if (variables.split(/[\0 ]/).some((each) => each.startsWith(`${taskVariable}=`))) return true;
  return parent > 1 && isBelowAgent(parent);
}
