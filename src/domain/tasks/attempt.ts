import { counted } from "../../text/counted.js";
import { RalphError } from "../ralph-error.js";
import type { Task } from "./task.js";

export const outcomes = ["success", "failure", "timeout"] as const;

export type OutcomeStatus = (typeof outcomes)[number];

export interface Plan {
  approach: string;
  steps: string[];
  estimated_iterations?: number;
}

export interface QualityPoint {
  iteration: number;
  quality: number;
  /** Change since the previous iteration. */
  delta: number;
}

/** How one iteration of an attempt ended. */
export interface IterationResult {
  iteration: number;
  timestamp?: string;
  success?: boolean;
  quality?: number;
  /** What the verification printed. */
  output?: string;
  /** The agent's last message. */
  said?: string;
  /** Why the agent did not end normally. */
  trouble?: string;
}

/** Outcome reason of an attempt that was stopped or whose process died. */
export const interrupted = "interrupted";

export interface Outcome {
  status: OutcomeStatus;
  reason?: string;
  final_quality?: number;
  completion_percent?: number;
  what_worked: string[];
  what_didnt_work: string[];
  suggestions_for_next_time: string[];
}

export interface EncounteredError {
  type: string;
  message: string;
  resolution?: string;
}

/** What an attempt worked on. */
export interface AttemptContext {
  goal: string;
  phase?: string;
  constraints: string[];
  files_involved: string[];
}

/** One try at a task, from plan to outcome. */
export interface Attempt {
  /** Counts up within its task. */
  id: number;
  task_id: string;
  started: string;
  ended?: string;
  /** Who started it: a person's or an agent's name. */
  made_by?: string;
  duration_seconds?: number;
  plan: Plan;
  context: AttemptContext;
  execution: {
    agent?: string;
    /** Maximum number of recent reflections it started with (Ω). */
    memory_capacity?: number;
    iterations: number;
    actions_performed: number;
    quality_history: QualityPoint[];
  };
  outcome?: Outcome;
  errors_encountered: EncounteredError[];
  artifacts_produced: string[];
  git_commit?: string;
}

/** A process, recorded so that others can check whether it still runs and is the same process. */
export interface Runner {
  pid: number;
  host: string;
  /** Start time in the system's own units: process ids are reused. */
  started?: string;
  /** The boot of the machine. */
  boot?: string;
  /** The space of process ids: a container has its own. */
  space?: string;
  /** Set in the environment of everything it started. */
  mark?: string;
}

/** A change of the number of reflections that a task's attempts start with (Ω). */
export interface CapacityChange {
  attempt_id: number;
  timestamp: string;
  from: number;
  to: number;
  reason: string;
}

/** How quality changed between iterations that have one. */
export function qualityPoints(
  results: readonly { iteration: number; quality?: number | undefined }[],
): QualityPoint[] {
  let before = 0;
  return results.flatMap(({ iteration, quality }) => {
    if (quality === undefined) return [];
    const delta = difference(quality, before);
    before = quality;
    return [{ iteration, quality, delta }];
  });
}

/** Drops floating-point noise: 0.6 − 0.4 is 0.2. */
function difference(quality: number, before: number): number {
  return Number((quality - before).toFixed(12));
}

/** An attempt of a task by its number, the current one by default; it must exist. */
export function pickAttempt<Attempt extends { id: number }>(
  task: Pick<Task, "id" | "current_attempt">,
  attempts: readonly Attempt[],
  given?: number,
): Attempt {
  const id = given ?? task.current_attempt;
  const attempt = attempts.find((candidate) => candidate.id === id);
  if (attempt !== undefined) return attempt;
  if (attempts.length === 0 && given === undefined)
    throw new RalphError("not-found", `${task.id} has no attempts yet`, {
      hint: `"ralph task start ${task.id}" begins one`,
    });
  const hint =
    attempts.length === 0 ? "it has no attempts yet" : `it has ${counted(attempts.length, "attempt")}`;
  throw new RalphError("not-found", `${task.id} has no attempt ${id}`, { hint });
}
