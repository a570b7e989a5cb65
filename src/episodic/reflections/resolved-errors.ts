import type { Action } from "../../domain/tasks/action.js";
import type { Attempt, EncounteredError } from "../../domain/tasks/attempt.js";
import { isSameFailure } from "../../text/same-failure.js";
import { errorsOf, readActionsOnce } from "../failures/failures-of.js";
import { findResolutions } from "./find-resolutions.js";

/**
 * The errors of several attempts with what made them go. One that a command showed is credited only with what was done
 * until the same command passed, in whichever attempt; own words about what worked stay.
 */
export function resolvedErrors(
  attempts: readonly (Attempt & { actions: readonly Action[] })[],
): EncounteredError[] {
  const actions = attempts.flatMap((attempt) => attempt.actions);
  const readAction = readActionsOnce();
  const shown = actions.filter(({ success }) => !success).flatMap((action) => errorsOf(readAction(action)));
  const ownWords = new Set(attempts.map(({ outcome }) => outcome?.what_worked.join("; ")));
  const recorded = attempts
    .flatMap((attempt) => attempt.errors_encountered)
    .filter(
      ({ message, resolution }) =>
        ownWords.has(resolution) || !shown.some((error) => isSameFailure(error.message, message)),
    );
  return [...recorded, ...findResolutions(actions, false, readAction)].filter(({ resolution }) => resolution);
}
