import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Environment } from "../domain/environment.js";
import { isSystemError, messageOf, RalphError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { endStarted, findMarked, isGroupAlive, killStartedNow, waitUntil } from "./end-processes.js";
import { newMark, processMark, withMarks } from "./marks.js";
import { type EndedBy, type ProcessLimits, watchLimits } from "./process-limits.js";
import { processSystem } from "./process-table.js";
import { joinKept, keepOutput, readOutput, waitUntilIdle } from "./program-output.js";
import { runnerOf } from "./runner.js";
import { findWindowsProgram } from "./windows.js";

export interface ProcessOptions extends ProcessLimits {
  program: string;
  args: readonly string[];
  folder: string;
  /** The complete environment; only a mark that identifies its children is added. */
  environment: Environment;
  /** Written to standard input, which is otherwise empty. */
  input?: string;
  /** Time between SIGTERM and SIGKILL. */
  killGraceMs?: number;
  /** How long its child processes may keep running after it has exited. */
  lingerMs?: number;
  /** How many bytes of each end of the output are kept. */
  keptBytes?: number;
  /** Called before the input is sent, so that the process is recorded before the work begins. */
  onStart?(leader: Runner): void | Promise<void>;
  /** Reading pauses while the returned promise is pending. */
  onOutput?(chunk: Buffer): void | Promise<void>;
  /** Receives standard error as it arrives. */
  onErrorOutput?(chunk: Buffer): void;
}

export interface ProcessResult {
  /** Undefined if a signal ended it. */
  exitCode: number | undefined;
  signal: NodeJS.Signals | undefined;
  endedBy: EndedBy;
  elapsedMs: number;
  /** Standard output; only both ends if it is long. */
  output: string;
  outputBytes: number;
  /** The end of standard error. */
  errorOutput: string;
  leader: Runner;
  /** False if some process it started could not be killed. */
  isAllGone: boolean;
}

const defaults = { killGraceMs: 5000, lingerMs: 1000, keptBytes: 64 * 1024 };
const keptErrorBytes = 64 * 1024;

/** True only for a program that exited by itself with code 0. */
export function hasSucceeded({ endedBy, exitCode }: Pick<ProcessResult, "endedBy" | "exitCode">): boolean {
  return endedBy === "exit" && exitCode === 0;
}

/** Runs a program in its own process group, within limits; when it returns, everything it started has ended. */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const { killGraceMs, lingerMs, keptBytes } = { ...defaults, ...withoutUndefined(options) };
  const startedAt = performance.now();
  const mark = newMark();
  const child = await start({ ...options, environment: withMarks(options.environment, processMark(), mark) });
  const group = child.pid as number;
  const started = { group, mark };
  const leader: Runner = { ...runnerOf(group), mark };
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kept = keepOutput(keptBytes, keptBytes);
  const keptErrors = keepOutput(0, keptErrorBytes);
  const killNow = () => killStartedNow(started);
  process.once("exit", killNow);
  const limits = watchLimits(options);
  // Continuing is pointless if the output cannot be recorded.
  let failure: { error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    limits.end("abort");
  };
  child.on("error", () => undefined);
  // It may exit without reading its input.
  child.stdin?.on("error", () => undefined);
  child.stderr?.on("data", (chunk: Buffer) => {
    limits.recordOutput();
    keptErrors.add(chunk);
    options.onErrorOutput?.(chunk);
  });
  const outputRead = readOutput(
    child.stdout as Readable,
    async (chunk) => {
      limits.recordOutput();
      kept.add(chunk);
      await options.onOutput?.(chunk);
      limits.recordOutput();
    },
    fail,
  );
  try {
    const inputSent = Promise.resolve(options.onStart?.(leader)).then(
      () => child.stdin?.end(options.input),
      fail,
    );
    const endedBy = await Promise.race([exited.then((): EndedBy => "exit"), limits.reached]);
    const hasLeft = () => isGroupAlive(group) || findMarked(mark).length > 0;
    const hasEndedItself = endedBy === "exit" && child.signalCode === null;
    if (hasEndedItself) await waitUntil(() => !hasLeft(), lingerMs, options.kill);
    const left = await endStarted(started, killGraceMs, options.kill);
    await Promise.race([closed, waitUntilIdle(limits.idleMs, lingerMs)]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await Promise.all([inputSent, outputRead]);
    if (failure !== undefined) throw failure.error;
    return {
      exitCode: child.exitCode ?? undefined,
      signal: child.signalCode ?? undefined,
      endedBy,
      elapsedMs: Math.round(performance.now() - startedAt),
      output: joinKept(kept),
      outputBytes: kept.bytes(),
      errorOutput: keptErrors.tail().toString("utf8"),
      leader,
      isAllGone: left.length === 0 && !isGroupAlive(group),
    };
  } finally {
    limits.close();
    process.removeListener("exit", killNow);
    if (isGroupAlive(group)) killNow();
    child.unref();
  }
}

async function start({ program, args, folder, environment, input }: ProcessOptions): Promise<ChildProcess> {
  try {
    const isWindows = processSystem() === "windows";
    const found = isWindows
      ? findWindowsProgram(program, args, environment)
      : { program, args, isVerbatim: false };
    const child = spawn(found.program, found.args, {
      cwd: folder,
      env: environment as NodeJS.ProcessEnv,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      // On Windows this would open a window and create no group.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: found.isVerbatim,
    });
    await once(child, "spawn");
    return child;
  } catch (error) {
    throw cannotStart(program, folder, error);
  }
}

function cannotStart(program: string, folder: string, error: unknown): RalphError {
  const unusable = (message: string, hint: string) =>
    new RalphError("program-unusable", message, { hint, cause: error });
  if (error instanceof RalphError) return error;
  if (!existsSync(folder)) return unusable(`No such folder: ${folder}`, `${program} was to run there`);
  if (isSystemError(error, "ENOENT") && program === "sh")
    return unusable("There is no shell to run it: sh", "on Windows, put that of Git for Windows on the PATH");
  if (isSystemError(error, "ENOENT") && program.includes("/") && existsSync(resolve(folder, program)))
    return unusable(`The interpreter of ${program} was not found`, "it is named in its first line");
  if (isSystemError(error, "ENOENT"))
    return unusable(`Program not found: ${program}`, "install it, or set another one in ralph.yml");
  if (isSystemError(error, "EACCES"))
    return unusable(`${program} is not executable`, `run "chmod +x ${program}"`);
  if (isSystemError(error, "E2BIG"))
    return unusable(`The arguments of ${program} are too long`, 'set "prompt: stdin" for this agent');
  return unusable(`${program} cannot be started`, messageOf(error));
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value;
}
