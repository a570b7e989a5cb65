import type { Action } from "../../domain/tasks/action.js";
import type { EncounteredError, OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import type { Failure } from "../../failures/failure.js";

/** What is known of an iteration or attempt once it has ended. */
export interface WorkReport {
  task: Task;
  attemptId: number;
  /** Not set for a whole attempt. */
  iteration?: number;
  /** Iterations of the attempt so far. */
  iterations: number;
  outcome: OutcomeStatus;
  reason?: string | undefined;
  /** What the runner says about the work, such as which command failed. */
  verdict?: string | undefined;
  /** The limit of time or cost that ended it. */
  limit?: string | undefined;
  quality?: number | undefined;
  whatWorked: readonly string[];
  /** What the verification printed. */
  output?: string | undefined;
  actions: readonly Action[];
  /** When the work began and ended, if known. */
  period?: { from: string; to: string } | undefined;
  /** Files that changed, if the runner looked. */
  changedFiles?: readonly string[] | undefined;
  /** Reported by the output, or by a failed action. */
  failures: readonly Failure[];
  /** Errors met in this work and resolved, each with its resolution. */
  resolved: readonly EncounteredError[];
  previous: PreviousWork | undefined;
}

/** The iteration or attempt before, to compare with. */
export interface PreviousWork {
  name: string;
  errors: readonly string[];
  /** What was done, if it is known. */
  actions?: readonly Action[] | undefined;
  quality?: number | undefined;
}

/** What a reflection says. */
export type ReflectionText = Pick<Reflection, "observation" | "analysis" | "learning" | "action_items">;

export function workName({ attemptId, iteration }: WorkReport): string {
  return iteration === undefined ? `attempt ${attemptId}` : `iteration ${iteration} of attempt ${attemptId}`;
}

const maxTitle = 80;

/** The task's objective in quotation marks, shortened. */
export function quotedObjective({ task: { description } }: WorkReport): string {
  const line = description.trim().split("\n")[0] ?? "";
  return line.length > maxTitle ? `"${line.slice(0, maxTitle).trimEnd()}…"` : `"${line}"`;
}
