import type { EncounteredError, OutcomeStatus } from "../domain/attempt.js";
import type { TaskStatus } from "../domain/task.js";

/** How an attempt ended, as its runner knows it. */
export interface AttemptResult {
  outcome: OutcomeStatus;
  reason?: string | undefined;
  /** What the verification, or the last command, printed. */
  output?: string | undefined;
  quality?: number | undefined;
  completionPercent?: number | undefined;
  whatWorked?: readonly string[] | undefined;
  errors?: readonly EncounteredError[] | undefined;
  artifacts?: readonly string[] | undefined;
  gitCommit?: string | undefined;
  /** What becomes of the task; follows from the outcome by default. */
  status?: TaskStatus | undefined;
}
