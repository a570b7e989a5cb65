import { describeFailure } from "../../episodic/failures/failure.js";
import { findFailures } from "../../episodic/failures/find-failures.js";
import { failureGist } from "../../text/same-failure.js";
import { unique } from "../../text/unique.js";

const comparedLength = 2000;

/** What a failure is recognised by when it comes back, whatever the numbers in it. */
export function failureSignature(output: string): string {
  const failures = failureNames(output).map(failureGist);
  return failures.length > 0 ? failures.sort().join("\n") : failureGist(output.trim().slice(-comparedLength));
}

/** The failures that an output tells of, one line each. */
export function failureNames(output: string): string[] {
  return unique(findFailures(output).map(describeFailure));
}
