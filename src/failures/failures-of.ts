import type { Action } from "../domain/tasks/action.js";
import type { EncounteredError } from "../domain/tasks/attempt.js";
import { withoutAgentTrouble } from "./agent-trouble.js";
import { isBareVerdict, isTelling } from "./bare-verdicts.js";
import { describeFailure, type Failure } from "./failure.js";
import { readFailedOutput } from "./find-failures.js";

/** The failures that a failed action reports. */
export type ReadAction = (action: Action) => readonly Failure[];

/** The failures of the output; where it does not say what failed, those of the last failed action that does. */
export function failuresOf(
  fromOutput: readonly Failure[],
  actions: readonly Action[],
  readAction: ReadAction = readFailedAction,
): readonly Failure[] {
  if (fromOutput.some(isTelling)) return fromOutput;
  for (const action of actions.toReversed()) {
    const found = action.success ? [] : readAction(action);
    if (found.some(isTelling)) return found;
  }
  return fromOutput;
}

/** Parses what the action printed; an error of one line is its message if nothing else says what went wrong. */
export function readFailedAction({ error = "", output = "" }: Action): readonly Failure[] {
  const found = readFailedOutput(`${error}\n${output}`);
  const message = withoutAgentTrouble(error).trim();
  if (found.length > 0 || message === "" || message.includes("\n") || isBareVerdict(message)) return found;
  return [{ message: message.slice(0, maxMessage), isGuess: true }];
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
