import type { EncounteredError, OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import type { Failure } from "../failures/failure.js";
import type { ReflectionText } from "../reflections/work-report.js";

/** How an attempt ended, as its runner knows it. */
export interface AttemptResult {
  outcome: OutcomeStatus;
  reason?: string | undefined;
  /** What the runner says of the work itself, such as which command failed. */
  verdict?: string | undefined;
  /** The limit that ended it, such as `2 USD`. */
  limit?: string | undefined;
  /** What the verification, or the last command, printed. */
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
  /** What the runner itself thinks of it, in the place of a reflection by rules. */
  reflection?: Partial<ReflectionText> | undefined;
  /** What becomes of the task; follows from the outcome by default. */
  status?: TaskStatus | undefined;
}
