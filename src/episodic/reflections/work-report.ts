import type { Action } from "../../domain/tasks/action.js";
import type { OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import type { Failure } from "../failures/failure.js";

/** What is known of an iteration or attempt once it has ended. */
export interface WorkReport {
  task: Task;
  attemptId: number;
  /** Set when it is about one iteration. */
  iteration?: number;
  /** How many iterations the attempt has had. */
  iterations: number;
  outcome: OutcomeStatus;
  reason?: string | undefined;
  /** What its runner says of it, such as which command failed. */
  verdict?: string | undefined;
  /** A limit of time or cost that ended it. */
  limit?: string | undefined;
  quality?: number | undefined;
  whatWorked: readonly string[];
  /** What the verification printed. */
  output?: string | undefined;
  actions: readonly Action[];
  /** What is different since, where the runner looked. */
  changedFiles?: readonly string[] | undefined;
  /** What the output, or an action, says is wrong. */
  failures: readonly Failure[];
  previous: PreviousWork | undefined;
}

/** The iteration or attempt before, to compare with. */
export interface PreviousWork {
  name: string;
  errors: readonly string[];
  quality?: number | undefined;
}

/** What a reflection says. */
export type ReflectionText = Pick<Reflection, "observation" | "analysis" | "learning" | "action_items">;

export function nameOf({ attemptId, iteration }: WorkReport): string {
  return iteration === undefined ? `attempt ${attemptId}` : `iteration ${iteration} of attempt ${attemptId}`;
}

const maxTitle = 80;

/** The task's objective in quotation marks, short enough for a sentence. */
export function titleOf({ task: { description } }: WorkReport): string {
  const line = description.trim().split("\n")[0] ?? "";
  return line.length > maxTitle ? `"${line.slice(0, maxTitle).trimEnd()}…"` : `"${line}"`;
}
