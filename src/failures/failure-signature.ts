import { unique } from "../text/unique.js";
import { describeFailure, type Failure } from "./failure.js";

const comparedLength = 2000;

/** Identifies an output by its failures or, without any, by its last lines; numbers are ignored. */
export function failureSignature(output: string, failures: readonly Failure[]): string {
  return failures.length > 0
    ? failureGists(failures).sort().join("\n")
    : withoutNumbers(output.trim().slice(-comparedLength));
}

/** The failures without their numbers, each once. */
export function failureGists(failures: readonly Failure[]): string[] {
  return unique(failureNames(failures).map(withoutNumbers));
}

/** One line per failure. */
export function failureNames(failures: readonly Failure[]): string[] {
  return unique(failures.map(describeFailure));
}

/** Lines and columns, durations, counts and addresses change between two runs of the same thing. */
function withoutNumbers(text: string): string {
  return text.replace(/\b0x[\da-f]+\b|\d+(?:[.,:]\d+)*/gi, "#");
}
