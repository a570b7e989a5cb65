import type { Action } from "../../domain/tasks/action.js";
import type { EncounteredError } from "../../domain/tasks/attempt.js";
import { describeFailure, type Failure } from "./failure.js";
import { findFailures } from "./find-failures.js";

/** From the verification's output, else from the actions that failed, the last one first. */
export function failuresOf(actions: readonly Action[], output: string | undefined): Failure[] {
  const fromOutput = output === undefined ? [] : findFailures(output);
  if (fromOutput.length > 0) return fromOutput;
  for (const action of actions.toReversed()) {
    const found = action.success ? [] : failuresOfAction(action);
    if (found.length > 0) return found;
  }
  return [];
}

/** What an action that failed says about it, in its own words when nothing better is recognised. */
export function failuresOfAction({ tool, error, output }: Action): Failure[] {
  const found = findFailures([error ?? "", output ?? ""].join("\n"));
  if (found.length > 0) return found;
  const message = (error ?? output ?? "").trim().split("\n")[0] ?? "";
  return message === "" ? [] : [{ message: `${tool}: ${message.slice(0, maxMessage)}` }];
}

const maxMessage = 200;
const keptErrors = 10;

/** Failures as they are kept with an attempt. */
export function errorsOf(failures: readonly Failure[]): EncounteredError[] {
  return failures.slice(0, keptErrors).map((failure) => ({
    type: failure.test === undefined ? (failure.code ?? "error") : "failing test",
    message: describeFailure(failure),
  }));
}
