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
  /** What shows that it ended so. */
  evidence: string;
}

/** What an end means for the attempt, for the task, and for whoever started the command. */
export const meaningOfEnd: Readonly<
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

/** What a run was started with; kept, so that it can be resumed as it was meant. */
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
  /** How many reflections (Ω), or the name of a preset. */
  memory?: number | string | undefined;
  isCrossTask: boolean;
  /** The window of reflections is scaled, whatever is set. */
  isAutoScaled?: boolean | undefined;
  /** What the agent says when it is done. */
  promise: string;
}

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  /** Only where the agent tells. */
  costUsd?: number;
}

/** What was used, as commands tell it. */
export interface ToldUsage {
  input_tokens: number;
  output_tokens: number;
  cost_usd?: number;
}

export function tellUsage({ inputTokens, outputTokens, costUsd }: RunUsage): ToldUsage {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    // Sums of dollars have a tail of digits that nobody paid.
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
  /** The agent that is at work. */
  agent_process?: Runner;
  started: string;
  ended?: string;
  end?: RunEnd;
  /** Iterations so far, of all attempts. */
  iterations: number;
  usage: RunUsage;
}
