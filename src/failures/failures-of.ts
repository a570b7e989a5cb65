import type { Action } from "../domain/tasks/action.js";
import type { EncounteredError } from "../domain/tasks/attempt.js";
import { describeFailure, type Failure } from "./failure.js";
import { findFailures } from "./find-failures.js";

/** The failures that a failed action reports. */
export type ReadAction = (action: Action) => readonly Failure[];

/** The failures of the output; without any, those of the last failed action that reports some. */
export function failuresOf(
  fromOutput: readonly Failure[],
  actions: readonly Action[],
  readAction: ReadAction = readFailedAction,
): readonly Failure[] {
  if (fromOutput.length > 0) return fromOutput;
  for (const action of actions.toReversed()) {
    const found = action.success ? [] : readAction(action);
    if (found.length > 0) return found;
  }
  return [];
}

/** Parses what the action printed; falls back to its first line. */
export function readFailedAction({ tool, error, output }: Action): readonly Failure[] {
  const found = findFailures([error ?? "", output ?? ""].join("\n"));
  if (found.length > 0) return found;
  const message = (error ?? output ?? "").trim().split("\n")[0] ?? "";
  return message === "" ? [] : [{ message: `${tool}: ${message.slice(0, maxMessage)}` }];
}

/** Parses each action at most once, and only when it is asked for. */
export function readActionsOnce(readAction: ReadAction = readFailedAction): ReadAction {
  const known = new Map<Action, readonly Failure[]>();
  return (action) => {
    const failures = known.get(action) ?? readAction(action);
    known.set(action, failures);
    return failures;
  };
}

const maxMessage = 200;
const keptErrors = 10;

/** The first failures, as an attempt keeps them. */
export function errorsOf(failures: readonly Failure[]): EncounteredError[] {
  return failures.slice(0, keptErrors).map((failure) => ({
    type: failure.test === undefined ? (failure.code ?? "error") : "failing test",
    message: describeFailure(failure),
  }));
}
