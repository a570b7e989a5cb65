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
  /** Against the iteration before. */
  delta: number;
}

/** How one run of the agent inside an attempt ended. */
export interface IterationResult {
  iteration: number;
  timestamp?: string;
  success?: boolean;
  quality?: number;
  /** What the verification printed. */
  output?: string;
}

/** The reason of an attempt that was stopped, or whose process is gone. */
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

/** What an attempt was about. */
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
  duration_seconds?: number;
  plan: Plan;
  context: AttemptContext;
  execution: {
    agent?: string;
    /** How many of the last reflections it was given at most (Ω). */
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

/** The process that drives a running attempt, so that others can tell when it is gone. */
export interface Runner {
  pid: number;
  host: string;
  /** When it began, in the system's own count: numbers of processes are used again. */
  started?: string;
}
