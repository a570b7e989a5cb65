import type { Reflection } from "../domain/tasks/reflection.js";
import type { RunEnd, UsageReport } from "../domain/tasks/run.js";
import type { Verdict } from "./judge-iteration.js";
import type { Worktree } from "./start/make-worktree.js";

/** A learning, as reported by a run. */
export interface LearnedLine {
  id: string;
  type: string;
  statement: string;
  /** False if it was known and this task confirmed it. */
  isNew: boolean;
}

export type OutputSource = "agent" | "agent-errors" | "check";

/** Progress events of a run; with `--json`, one per line. */
export type LoopEvent =
  | {
      event: "run-started";
      task_id: string;
      objective: string;
      agent: string;
      verify: readonly string[];
      max_iterations: number;
      attempts: number;
      resumed: boolean;
    }
  /** Follows `run-started` of a run with its own worktree. */
  | ({ event: "worktree" } & Worktree)
  | { event: "attempt-started"; attempt: number; reflections: number; memory_capacity: number }
  | {
      event: "iteration-started";
      attempt: number;
      iteration: number;
      brief_tokens: number;
      prompt_tokens: number;
      /** Ids of the records in the brief, without the task's own reflections. */
      shown: readonly string[];
      holdout: boolean;
    }
  | { event: "tool-started"; tool: string; subject: string }
  | {
      event: "action";
      tool: string;
      subject: string;
      success: boolean;
      actions: number;
      error?: string;
    }
  /** What the agent says, its standard error, or the output of a check: whole lines, as they arrive. */
  | { event: "output"; from: OutputSource; text: string }
  | ({ event: "usage" } & UsageReport)
  | { event: "verification-started"; command: string }
  | {
      event: "verification";
      command: string;
      passed: boolean;
      elapsed_ms: number;
      exit_code?: number;
      /** The run was stopped, so the check's result is meaningless. */
      stopped?: true;
    }
  | {
      event: "iteration-ended";
      attempt: number;
      iteration: number;
      verdict: Verdict;
      reason: string;
      /** The first failure, as the check reports it. */
      cause?: string;
      quality?: number;
      /** Missing without Git. */
      changed_files?: readonly string[];
      actions: number;
      elapsed_ms: number;
    }
  | {
      event: "attempt-ended";
      attempt: number;
      end: RunEnd;
      /** Absent after an interruption, which leaves nothing to reflect on. */
      reflection?: Pick<Reflection, "observation" | "learning" | "action_items">;
    }
  | { event: "waiting"; for_ms: number; reason: string }
  | { event: "problem"; message: string }
  | {
      event: "run-ended";
      task_id: string;
      end: RunEnd;
      /** The first failure of the last iteration. */
      cause?: string;
      /** Since it was resumed, if so. */
      attempts: number;
      iterations: number;
      resumed: boolean;
      elapsed_ms: number;
      usage: UsageReport;
      changed_files: readonly string[];
      learned: readonly LearnedLine[];
      /** The worktree made for the run, and the commands that commit, merge and remove it. */
      worktree?: { folder: string; branch: string; commit: string; merge: string; remove: string };
      next: string;
    };
