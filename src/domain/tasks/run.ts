import type { OutcomeStatus, Runner } from "./attempt.js";
import type { TaskStatus } from "./task.js";

/** How a run can end. */
export type RunEndKind =
  | "completed"
  | "failed"
  | "stalled"
  | "exhausted"
  | "over-budget"
  | "timed-out"
  | "interrupted";

export interface RunEnd {
  kind: RunEndKind;
  /** Why it counts as this kind of end. */
  evidence: string;
}

/** What each kind of end means for the attempt's outcome, the task's status and the exit code. */
export const runEndEffects: Readonly<
  Record<RunEndKind, { outcome: OutcomeStatus; status: TaskStatus; exitStatus: number }>
> = {
  completed: { outcome: "success", status: "completed", exitStatus: 0 },
  failed: { outcome: "failure", status: "failed", exitStatus: 1 },
  stalled: { outcome: "failure", status: "failed", exitStatus: 1 },
  exhausted: { outcome: "failure", status: "failed", exitStatus: 2 },
  "over-budget": { outcome: "failure", status: "failed", exitStatus: 2 },
  "timed-out": { outcome: "timeout", status: "failed", exitStatus: 2 },
  interrupted: { outcome: "failure", status: "paused", exitStatus: 130 },
};

/** The options a run was started with, kept so that it resumes with the same ones. */
export interface RunOptions {
  /** Commands that must succeed. */
  verify: string[];
  agent: string;
  isAllAllowed: boolean;
  maxIterations: number;
  attempts: number;
  timeoutMs: number;
  iterationTimeoutMs: number;
  /** 0 is unlimited. */
  idleTimeoutMs: number;
  verifyTimeoutMs: number;
  maxCostUsd?: number | undefined;
  /** Number of reflections (Ω), or the name of a preset. */
  memory?: number | string | undefined;
  isCrossTask: boolean;
  /** Scales the reflection window even if the settings turn scaling off. */
  isAutoScaled?: boolean | undefined;
  /** What the agent prints when it is done. */
  promise: string;
  /** The working tree that it works in; not set by versions before 0.2. */
  folder?: string | undefined;
  /** The branch of the worktree made for it. */
  branch?: string | undefined;
}

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  /** Missing if the agent does not report it. */
  costUsd?: number;
}

/** Usage as commands print it. */
export interface UsageReport {
  input_tokens: number;
  output_tokens: number;
  cost_usd?: number;
}

export function reportUsage({ inputTokens, outputTokens, costUsd }: RunUsage): UsageReport {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    // Drops floating-point noise.
    ...(costUsd !== undefined && { cost_usd: Math.round(costUsd * 1e6) / 1e6 }),
  };
}

/** One call of `ralph run` or `ralph resume`. */
export interface Run {
  id: number;
  task_id: string;
  options: RunOptions;
  /** The process that runs the loop. */
  runner: Runner;
  /** Until when it holds its task without another heartbeat; not set by versions before 0.2. */
  lease_until?: string;
  /** The time on a team's server when this was read: the lease is compared with it rather than with the local clock. */
  read_at?: string;
  /** The person or agent who started the run. */
  made_by?: string;
  /** The agent process, while it runs. */
  agent_process?: Runner;
  started: string;
  ended?: string;
  end?: RunEnd;
  /** Iterations so far, over all attempts. */
  iterations: number;
  usage: RunUsage;
}

/** Why a run cannot be resumed; undefined if it can. */
export function whyOver({ end }: Pick<Run, "end">, status: TaskStatus): "completed" | "given up" | undefined {
  if (end === undefined) return undefined;
  if (end.kind === "completed" || status === "completed") return "completed";
  return end.kind === "interrupted" && status !== "paused" ? "given up" : undefined;
}

/** How long a run holds its task without a heartbeat. */
export const leaseMs = 60_000;

export const heartbeatMs = 10_000;

/** How long an attempt without a run may record nothing before it counts as abandoned; agents may think for a long time. */
export const attemptSilenceMs = 30 * 60_000;

/** The assumed maximum difference between the clocks of two machines. */
const maxSkewMs = 5 * 60_000;

export function leaseUntil(now: Date): string {
  return new Date(now.getTime() + leaseMs).toISOString();
}

/** A lease that ends later than any run may request comes from a wrong clock and counts as lapsed. */
export function hasLapsed(until: string, now: Date): boolean {
  const leftMs = Date.parse(until) - now.getTime();
  return !(leftMs > 0 && leftMs <= leaseMs + maxSkewMs);
}
