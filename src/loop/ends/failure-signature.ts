import { describeFailure, type Failure } from "../../failures/failure.js";
import { failureGist } from "../../text/same-failure.js";
import { unique } from "../../text/unique.js";

const comparedLength = 2000;

/** Identifies an output by its failures or, without any, by its last lines; numbers are ignored. */
export function failureSignature(output: string, failures: readonly Failure[]): string {
  return failures.length > 0
    ? failureNames(failures).map(failureGist).sort().join("\n")
    : failureGist(output.trim().slice(-comparedLength));
}

/** One line per failure. */
export function failureNames(failures: readonly Failure[]): string[] {
  return unique(failures.map(describeFailure));
}
