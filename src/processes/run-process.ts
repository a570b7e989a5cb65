import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "../domain/environment.js";
import { messageOf } from "../domain/message-of.js";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { joinKept, keepOutput } from "./kept-output.js";
import {
  endGroup,
  isGroupAlive,
  killGroup,
  runnerOfGroup,
  untilGroupGone,
  watchGroupsBelow,
} from "./process-group.js";
import { type EndedBy, type ProcessLimits, watchLimits } from "./process-limits.js";

export interface ProcessOptions extends ProcessLimits {
  program: string;
  args: readonly string[];
  folder: string;
  /** All of it: nothing is added. */
  environment: Environment;
  /** Comes on standard input, which is empty otherwise. */
  input?: string;
  /** How long it may take to end after it was asked to. */
  killGraceMs?: number;
  /** How long what it leaves in its group may go on after it has ended by itself. */
  lingerMs?: number;
  /** How much of either end of the output is kept. */
  keptBytes?: number;
  /** Before the input is given, so that what is recorded here is there when the work begins. */
  onStart?(leader: Runner): void | Promise<void>;
  /** The program waits while a promise is pending. */
  onOutput?(chunk: Buffer): void | Promise<void>;
}

export interface ProcessResult {
  /** None when a signal ended it. */
  exitCode: number | undefined;
  signal: NodeJS.Signals | undefined;
  endedBy: EndedBy;
  elapsedMs: number;
  /** Both ends of the standard output. */
  output: string;
  outputBytes: number;
  /** The end of what it printed to standard error. */
  errorOutput: string;
  leader: Runner;
  /** False when something of its group could not be ended. */
  isGroupGone: boolean;
}

const defaults = { killGraceMs: 5000, lingerMs: 1000, keptBytes: 64 * 1024 };
const keptErrorBytes = 64 * 1024;
const maxDrainMs = 30_000;

/** True only for a program that ended by itself with status 0. */
export function hasSucceeded({ endedBy, exitCode }: Pick<ProcessResult, "endedBy" | "exitCode">): boolean {
  return endedBy === "exit" && exitCode === 0;
}

/** Runs a program in a process group of its own, within limits; when it returns, the group is gone. */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const { killGraceMs, lingerMs, keptBytes } = { ...defaults, ...withoutUndefined(options) };
  const startedAt = performance.now();
  const child = await start(options);
  const group = child.pid as number;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kept = keepOutput(keptBytes, keptBytes);
  const keptErrors = keepOutput(0, keptErrorBytes);
  const killNow = () => killGroup(group);
  process.once("exit", killNow);
  const limits = watchLimits(options);
  const below = watchGroupsBelow(group);
  // The process itself is of no more use when what it does cannot be noted.
  let failure: { error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    limits.end("abort");
  };
  child.on("error", () => undefined);
  // It may end without having read its input.
  child.stdin?.on("error", () => undefined);
  child.stderr?.on("data", (chunk: Buffer) => {
    limits.noteOutput();
    keptErrors.add(chunk);
  });
  const isRead = readOutput(
    child.stdout as Readable,
    async (chunk) => {
      limits.noteOutput();
      kept.add(chunk);
      await options.onOutput?.(chunk);
      limits.noteOutput();
    },
    fail,
  );
  const leader = runnerOfGroup(group);
  try {
    const isReady = Promise.resolve(options.onStart?.(leader)).then(
      () => child.stdin?.end(options.input),
      fail,
    );
    const endedBy = await Promise.race([exited.then((): EndedBy => "exit"), limits.reached]);
    below.close();
    const hasGone = endedBy === "exit" && (await untilGroupGone(group, lingerMs, options.kill));
    const wasKilled = endedBy !== "exit" || child.signalCode !== null;
    if (!hasGone || wasKilled)
      await endGroup(group, killGraceMs, options.kill, wasKilled ? below.latest() : []);
    await Promise.race([closed, untilQuiet(limits.quietMs, lingerMs)]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await Promise.all([isReady, isRead]);
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
      isGroupGone: !isGroupAlive(group),
    };
  } finally {
    limits.close();
    below.close();
    process.removeListener("exit", killNow);
    if (isGroupAlive(group)) killNow();
    child.unref();
  }
}

async function start({ program, args, folder, environment, input }: ProcessOptions): Promise<ChildProcess> {
  try {
    const child = spawn(program, args, {
      cwd: folder,
      env: environment as NodeJS.ProcessEnv,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true,
    });
    await once(child, "spawn");
    return child;
  } catch (error) {
    throw cannotStart(program, folder, error);
  }
}

function cannotStart(program: string, folder: string, error: unknown): RalphError {
  const because = (message: string, hint: string) =>
    new RalphError("program-unusable", message, { hint, cause: error });
  if (!existsSync(folder)) return because(`There is no folder ${folder}`, `${program} would run there`);
  if (isSystemError(error, "ENOENT"))
    return because(`There is no program ${program}`, "install it, or set another one in ralph.yml");
  if (isSystemError(error, "EACCES"))
    return because(`${program} may not be run`, `allow it: chmod +x ${program}`);
  if (isSystemError(error, "E2BIG"))
    return because(`The arguments of ${program} are too long`, 'give it the prompt with "prompt: stdin"');
  return because(`${program} cannot be started`, messageOf(error));
}

/** Hands on one chunk after the other; the program waits while one is being worked on. */
async function readOutput(
  stream: Readable,
  onChunk: (chunk: Buffer) => void | Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  try {
    for await (const chunk of stream) await onChunk(chunk);
  } catch (error) {
    if (!isSystemError(error, "ERR_STREAM_PREMATURE_CLOSE")) onFailure(error);
  }
}

/** Something outside of the group may hold the output open: it is read for as long as it says something. */
async function untilQuiet(quietMs: () => number, lingerMs: number): Promise<void> {
  const end = performance.now() + maxDrainMs;
  while (performance.now() < end) {
    await pause(lingerMs / 4, undefined, { ref: false });
    if (quietMs() >= lingerMs) return;
  }
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value;
}
