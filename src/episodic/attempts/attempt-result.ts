import type { EncounteredError, OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import type { Failure } from "../../failures/failure.js";
import type { ReflectionText } from "../reflections/work-report.js";

/** How an attempt ended, as its runner knows it. */
export interface AttemptResult {
  outcome: OutcomeStatus;
  reason?: string | undefined;
  /** What the runner says about the work, such as which command failed. */
  verdict?: string | undefined;
  /** The limit that ended it, such as `2 USD`. */
  limit?: string | undefined;
  /** The output of the verification or the last command. */
  output?: string | undefined;
  /** The failures in the output, if the runner has parsed it. */
  failures?: readonly Failure[] | undefined;
  quality?: number | undefined;
  completionPercent?: number | undefined;
  whatWorked?: readonly string[] | undefined;
  errors?: readonly EncounteredError[] | undefined;
  artifacts?: readonly string[] | undefined;
  files?: readonly string[] | undefined;
  gitCommit?: string | undefined;
  /** The runner's own reflection, instead of one by rules. */
  reflection?: Partial<ReflectionText> | undefined;
  /** The new status of the task; by default it follows from the outcome. */
  status?: TaskStatus | undefined;
  /** The run that records it; refused if that run no longer holds the task. */
  runId?: number | undefined;
}
