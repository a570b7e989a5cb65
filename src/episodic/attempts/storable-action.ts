import type { Action } from "../../domain/tasks/action.js";
import { clipDeep, clipOutput } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";

/** The action without secrets, its long texts clipped. */
export function storableAction({ output, error, ...rest }: Action): Action {
  // Long texts are clipped before they are searched for secrets.
  const { params, reasoning, expected_outcome: expected, ...action } = redactDeep(clipDeep(rest));
  return {
    ...action,
    params,
    ...(output !== undefined && { output: clipOutput(output) }),
    ...(error !== undefined && { error: clipOutput(error) }),
    ...(reasoning !== undefined && { reasoning: clipOutput(reasoning) }),
    ...(expected !== undefined && { expected_outcome: clipOutput(expected) }),
  };
}
