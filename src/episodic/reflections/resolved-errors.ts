import type { Action } from "../../domain/tasks/action.js";
import type { Attempt, EncounteredError } from "../../domain/tasks/attempt.js";
import { errorsOf, readActionsOnce } from "../../failures/failures-of.js";
import { isSameFailure } from "../../text/same-failure.js";
import { findResolutions } from "./find-resolutions.js";

/**
 * The errors of several attempts with their resolutions. An error shown by a command is credited only with what was done
 * until the same command passed, in any attempt; what the runner said worked is kept.
 */
export function resolvedErrors(
  attempts: readonly (Attempt & { actions: readonly Action[] })[],
): EncounteredError[] {
  const actions = attempts.flatMap((attempt) => attempt.actions);
  const readAction = readActionsOnce();
  const shown = actions.filter(({ success }) => !success).flatMap((action) => errorsOf(readAction(action)));
  const saidToWork = new Set(attempts.map(({ outcome }) => outcome?.what_worked.join("; ")));
  const recorded = attempts
    .flatMap((attempt) => attempt.errors_encountered)
    .filter(
      ({ message, resolution }) =>
        saidToWork.has(resolution) || !shown.some((error) => isSameFailure(error.message, message)),
    );
  return [...recorded, ...findResolutions(actions, false, readAction)].filter(({ resolution }) => resolution);
}
