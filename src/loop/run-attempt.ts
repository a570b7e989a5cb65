import { setTimeout as pause } from "node:timers/promises";
import { renderDuration } from "../domain/duration.js";
import { learnedLines } from "../domain/tasks/agent-text.js";
import type { RunEnd } from "../domain/tasks/run.js";
import type { Failure } from "../failures/failure.js";
import { counted } from "../text/counted.js";
import { failureGist } from "../text/same-failure.js";
import { adviceFor, adviceOnDenied, mayPass } from "./judge-iteration.js";
import { type LoopContext, spentOf } from "./loop-context.js";
import type { AgentRun } from "./run-agent.js";
import { type Feedback, type Iteration, runIteration } from "./run-iteration.js";

/** The result of an attempt. */
export interface AttemptRun {
  end: RunEnd;
  /** What to do before resuming, if known. */
  advice: string | undefined;
  /** The limit that ended it. */
  limit: string | undefined;
  /** Reason for the last verdict. */
  verdict: string;
  /** The first failure of the last iteration. */
  cause: string | undefined;
  /** Output of the last verification. */
  output: string;
  failures: readonly Failure[];
  /** The files that the last iteration concerned. */
  files: readonly string[];
  quality: number | undefined;
  changedFiles: string[];
  commit: string | undefined;
  /** What the agent says it learned, if the attempt succeeded. */
  learned: string[];
}

export interface AttemptPlace {
  attempt: number;
  /** More than 1 when the attempt is resumed. */
  firstIteration: number;
  lastIteration: number;
  handoffs: readonly string[];
  before: Feedback | undefined;
}

/** Identical failures in a row without a changed file. */
const stalledAfter = 3;
const maxCrashes = 5;
/** Crashes for the same reason that no pause resolves. */
const maxSameCrashes = 2;
/** A later crash may have other reasons. */
const atOnceMs = 60_000;
const maxPauseMs = 30_000;

/** Runs iterations until one completes the task, a limit is reached, or the attempt stalls. */
export async function runAttempt(context: LoopContext, place: AttemptPlace): Promise<AttemptRun> {
  const changedFiles = new Set<string>();
  let before = place.before;
  let lastSignature: string | undefined;
  let same = 0;
  let crashes = 0;
  let sameCrashes = 0;
  let lastCrash: string | undefined;
  for (let iteration = place.firstIteration; ; iteration += 1) {
    const done = await runIteration(context, { ...place, iteration, before });
    for (const file of done.changedFiles) changedFiles.add(file);
    crashes = isCrash(done) ? crashes + 1 : 0;
    const crash = lastingCrash(done);
    sameCrashes = crash === undefined ? 0 : crash === lastCrash ? sameCrashes + 1 : 1;
    lastCrash = crash;
    // A crashed agent says nothing about the task.
    if (done.hasChanged || crashes > 0) same = 0;
    else same = done.signature === lastSignature ? same + 1 : 1;
    lastSignature = done.signature;
    before = done.feedback;
    const { lastIteration } = place;
    const end = endAfter(context, done, { iteration, same, crashes, sameCrashes, lastIteration });
    if (end !== undefined) return toAttemptRun(end, done, changedFiles);
    if (crashes > 0) await waitAfterCrash(context, crashes, done.reason);
    if (context.stop.aborted) return toAttemptRun(interrupted(iteration), done, changedFiles);
    const late = timedOut(context);
    if (late !== undefined) return toAttemptRun(late, done, changedFiles);
  }
}

type Ending = RunEnd & { limit?: string; advice?: string };

type LimitContext = Pick<
  LoopContext,
  "stop" | "options" | "clock" | "deadline" | "meter" | "spentBeforeUsd" | "agent"
>;

interface Counts {
  iteration: number;
  same: number;
  crashes: number;
  sameCrashes: number;
  lastIteration: number;
}

/** Completion takes precedence over a limit that was also reached. */
export function endAfter(
  context: LimitContext,
  {
    verdict,
    reason,
    agent,
  }: Pick<Iteration, "verdict" | "reason"> & {
    agent: Pick<AgentRun, "trouble" | "denied">;
  },
  { iteration, same, crashes, sameCrashes, lastIteration }: Counts,
): Ending | undefined {
  const { stop, options } = context;
  if (verdict === "completed") return { kind: "completed", evidence: reason };
  if (stop.aborted) return interrupted(iteration);
  const spent = spentOf(context);
  if (options.maxCostUsd !== undefined && spent > options.maxCostUsd)
    return {
      kind: "over-budget",
      evidence: `spent ${spent.toFixed(2)} of ${options.maxCostUsd} USD`,
      limit: `${options.maxCostUsd} USD`,
    };
  const late = timedOut(context);
  if (late !== undefined) return late;
  if (sameCrashes >= maxSameCrashes || crashes >= maxCrashes) {
    const why = agent.trouble ?? reason;
    const evidence =
      sameCrashes >= maxSameCrashes
        ? `failed at once twice, in the same way: ${why}`
        : `${crashes} crashes in a row: ${why}`;
    return { kind: "failed", evidence, advice: adviceFor(context.agent, why) };
  }
  const advice = adviceOnDenied(context.agent.name, agent.denied);
  if (same >= stalledAfter)
    return {
      kind: "stalled",
      evidence: `same failure ${same} times in a row, and no file changed: ${reason}`,
      ...(advice !== undefined && { advice }),
    };
  if (iteration < lastIteration) return undefined;
  return {
    kind: "exhausted",
    evidence: `no success after ${counted(iteration, "iteration")}; last: ${reason}`,
    limit: counted(iteration, "iteration"),
    ...(advice !== undefined && { advice }),
  };
}

function timedOut({ clock, deadline, options }: LimitContext): Ending | undefined {
  if (clock().getTime() < deadline) return undefined;
  const limit = renderDuration(options.timeoutMs);
  return { kind: "timed-out", evidence: `the time limit of ${limit} was reached`, limit };
}

function interrupted(iteration: number): Ending {
  return { kind: "interrupted", evidence: `stopped in iteration ${iteration}` };
}

/** The agent failed before it did anything. */
export function isCrash({ agent, hasChanged }: Pick<Iteration, "agent" | "hasChanged">): boolean {
  return agent.hasBrokenDown && agent.actions === 0 && !hasChanged;
}

/** Identifies a crash that would recur after any pause; undefined for any other end. */
export function lastingCrash(done: Pick<Iteration, "agent" | "hasChanged">): string | undefined {
  const { trouble, elapsedMs } = done.agent;
  if (trouble === undefined || !isCrash(done) || elapsedMs > atOnceMs || mayPass(trouble)) return undefined;
  return failureGist(trouble);
}

/** Exponential backoff, limited by the time left. */
export function pauseMsAfter(
  crashes: number,
  { clock, deadline, settings }: Pick<LoopContext, "clock" | "deadline" | "settings">,
): number {
  const firstPauseMs = settings["run.first_pause_seconds"] * 1000;
  const leftMs = Math.max(0, deadline - clock().getTime());
  return Math.min(maxPauseMs, firstPauseMs * 2 ** (crashes - 1), leftMs);
}

async function waitAfterCrash(context: LoopContext, crashes: number, reason: string): Promise<void> {
  const { emit, stop } = context;
  const forMs = pauseMsAfter(crashes, context);
  emit({ event: "waiting", for_ms: forMs, reason });
  await pause(forMs, undefined, { signal: stop }).catch(() => undefined);
}

function toAttemptRun(
  { limit, advice, ...end }: Ending,
  last: Iteration,
  changed: ReadonlySet<string>,
): AttemptRun {
  return {
    end,
    advice,
    limit,
    verdict: last.reason,
    cause: last.cause,
    output: last.feedback.text,
    failures: last.feedback.failures,
    files: last.feedback.files,
    quality: last.quality,
    changedFiles: [...changed],
    commit: last.commit,
    learned: end.kind === "completed" ? learnedLines(last.agent.finalText) : [],
  };
}
