import { describeFailure, type Failure } from "../../failures/failure.js";
import { isSameFailure } from "../../text/same-failure.js";
import type { PreviousWork } from "./work-report.js";

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
