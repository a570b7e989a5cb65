import type { Action } from "../../domain/tasks/action.js";
import type { EncounteredError, OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import { describeFailure, type Failure } from "../../failures/failure.js";
import { isSameFailure } from "../../text/same-failure.js";

/** What is known about an iteration or attempt that has ended. */
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

/** The previous iteration or attempt, for comparison. */
export interface PreviousWork {
  name: string;
  errors: readonly string[];
  /** The actions, if known. */
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

/** Joins texts into one paragraph, each ending like a sentence. */
export function asSentences(texts: readonly (string | undefined)[]): string {
  const said = texts.flatMap((text) => (text ? [text] : []));
  if (said.length < 2) return said[0] ?? "";
  return said.map((text) => (/[.!?…]["')\]`]?$/.test(text) ? text : `${text}.`)).join(" ");
}

/** How failures compare with those of the previous iteration or attempt. */
export type Comparison =
  | { kind: "first" }
  | { kind: "same"; previous: PreviousWork }
  | { kind: "progress"; previous: PreviousWork; gone: string[]; left: number }
  | { kind: "new"; previous: PreviousWork };

export function compareFailures(
  failures: readonly Failure[],
  previous: PreviousWork | undefined,
): Comparison {
  if (previous === undefined || previous.errors.length === 0) return { kind: "first" };
  const now = failures.map(describeFailure);
  const gone = previous.errors.filter((error) => !now.some((failure) => isSameFailure(error, failure)));
  const repeated = now.filter((failure) => previous.errors.some((error) => isSameFailure(error, failure)));
  if (gone.length > 0 && now.length < previous.errors.length)
    return { kind: "progress", previous, gone, left: now.length };
  return repeated.includes(now[0] ?? "") ? { kind: "same", previous } : { kind: "new", previous };
}
