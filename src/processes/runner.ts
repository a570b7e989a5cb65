import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";
import type { Environment } from "../domain/environment.js";
import { isSystemError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { processMark } from "./marks.js";
import { commandLineOf, environmentOf, findProcess, isRunning } from "./process-table.js";

/** Where a process id is unique: one boot of one machine, and one namespace of process ids, as each container has its own. */
interface Machine {
  host: string;
  boot?: string;
  space?: string;
}

let known: Machine | undefined;

/** Boot and space are known on Linux only. */
function thisMachine(): Machine {
  known ??= {
    host: hostName(),
    ...read("boot", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    ...read("space", () => readlinkSync("/proc/self/ns/pid")),
  };
  return known;
}

/** Compares host names only without a configured name or a boot id: containers change and share them. */
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

/** The name of this machine in records: the one the user configured, since containers get a new name each time. */
export function hostName(): string {
  return givenHostName() ?? hostname();
}

function givenHostName(): string | undefined {
  return process.env.RALPH_HOST || undefined;
}

/** Describes a process of this machine, so that others can identify it. */
export function runnerOf(pid: number): Runner {
  const started = findProcess(pid)?.started;
  return { pid, ...thisMachine(), ...(started !== undefined && { started }) };
}

/** This process, with the mark of everything it starts. */
export function thisRunner(): Runner {
  return { ...runnerOf(process.pid), mark: processMark() };
}

/**
 * The process that drives an attempt started by a command: its parent or, if the parent was started only for this command, such as an
 * agent's shell or `timeout`, the process that started the parent.
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

/** Unknown: on another machine, or too little was recorded to identify it. */
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

/** Times reported by ps may be off by a second; a process id is not reused that soon. */
function isSameStart(one: string, other: string): boolean {
  if (one === other || !one.includes(":")) return one === other;
  return Math.abs(Date.parse(`${one} UTC`) - Date.parse(`${other} UTC`)) <= maxDriftMs;
}

const maxDriftMs = 1000;

export function isThisProcess(runner: Runner): boolean {
  return runner.pid === process.pid && stateOf(runner) === "running";
}

/** Sends a signal if the process is provably the recorded one; returns whether it was sent. */
export function signalRunner(runner: Runner, signal: NodeJS.Signals): boolean {
  if (stateOf(runner) !== "running") return false;
  try {
    return process.kill(runner.pid, signal);
  } catch {
    return false;
  }
}

/** Records may hold anything; a signal to group 0 or 1 would reach many other processes. */
export function canBeGroup(pid: unknown): boolean {
  return Number.isSafeInteger(pid) && (pid as number) > 1;
}

/** A shell with a command, or a program such as `timeout` or `npx` that received this command as arguments. */
function isForOneCommand(pid: number, words: readonly string[]): boolean {
  const [program = "", ...args] = commandLineOf(pid);
  // Joined, because ps does not show where an argument ends.
  if (words.length > 0 && ` ${args.join(" ")}`.endsWith(` ${words.join(" ")}`)) return true;
  if (!shells.includes(basename(program).replace(/^-/, ""))) return false;
  const options = args.slice(
    0,
    args.findIndex((word) => !word.startsWith("-")),
  );
  return options.some((word) => /^-[a-z]*c[a-z]*$/.test(word));
}

const taskVariable = "RALPH_TASK";

/** Whether an agent of a run started this process: it or one of its ancestors has the task in its environment. */
export function isStartedByAgent(environment: Environment, parent = process.ppid): boolean {
  return Boolean(environment[taskVariable]) || isBelowAgent(parent);
}

function isBelowAgent(pid: number): boolean {
  const parent = findProcess(pid)?.parent ?? 0;
  const variables = environmentOf(pid) ?? "";
  if (variables.split(/[\0 ]/).some((each) => each.startsWith(`${taskVariable}=`))) return true;
  return parent > 1 && isBelowAgent(parent);
}
