import type { IterationResult } from "../../domain/tasks/attempt.js";
import { failureGists, failureSignature } from "../../failures/failure.js";
import { findFailures } from "../../failures/find-failures.js";

/** `repeated` failed exactly like the iteration before; `open` failed, and no comparison says more. */
export type IterationProgress = "done" | "progress" | "worse" | "repeated" | "open";

/** Judges each iteration by its failures and its quality, compared with those of the iteration before. */
export function progressOfEach(results: readonly IterationResult[]): IterationProgress[] {
  let before: Judged | undefined;
  return results.map((result) => {
    const now = toJudged(result);
    const progress = progressSince(before, now);
    before = now;
    return progress;
  });
}

interface Judged {
  isSuccess: boolean;
  quality: number | undefined;
  signature: string;
  /** Empty when no failure in the output is recognised. */
  failures: ReadonlySet<string>;
}

function toJudged({ success, quality, output = "" }: IterationResult): Judged {
  const failures = success === true ? [] : findFailures(output);
  return {
    isSuccess: success === true,
    quality,
    signature: success === true ? "" : failureSignature(output, failures),
    failures: new Set(failureGists(failures)),
  };
}

function progressSince(before: Judged | undefined, now: Judged): IterationProgress {
  if (now.isSuccess) return "done";
  if (before === undefined) return "open";
  const rise =
    now.quality === undefined || before.quality === undefined ? undefined : now.quality - before.quality;
  if (isRepeated(before, now, rise)) return "repeated";
  if (rise !== undefined && rise < 0) return "worse";
  const isOneGone = now.failures.size > 0 && [...before.failures].some((each) => !now.failures.has(each));
  return isOneGone || (rise !== undefined && rise > 0) ? "progress" : "open";
}

/** Outputs without a recognised failure may differ only in their counts: then the quality decides. */
function isRepeated(before: Judged, now: Judged, rise: number | undefined): boolean {
  if (now.signature === "" || now.signature !== before.signature) return false;
  return now.failures.size > 0 || rise === undefined || rise === 0;
}
