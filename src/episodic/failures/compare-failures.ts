import { isSameFailure } from "../../text/same-failure.js";
import type { Before } from "../reflections/happening.js";
import { describeFailure, type Failure } from "./failure.js";

/** How failures stand to those before. */
export type Comparison =
  | { kind: "first" }
  | { kind: "same"; before: Before }
  | { kind: "progress"; before: Before; gone: string[]; left: number }
  | { kind: "new"; before: Before };

export function compareFailures(failures: readonly Failure[], before: Before | undefined): Comparison {
  if (before === undefined || before.errors.length === 0) return { kind: "first" };
  const now = failures.map(describeFailure);
  const gone = before.errors.filter((error) => !now.some((failure) => isSameFailure(error, failure)));
  const known = now.filter((failure) => before.errors.some((error) => isSameFailure(error, failure)));
  if (gone.length > 0 && now.length < before.errors.length)
    return { kind: "progress", before, gone, left: now.length };
  return known.includes(now[0] ?? "") ? { kind: "same", before } : { kind: "new", before };
}
