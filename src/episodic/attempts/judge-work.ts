import { type Action, commandOf } from "../../domain/tasks/action.js";
import { interrupted } from "../../domain/tasks/attempt.js";
import { judgesWork } from "../../domain/tasks/command-kind.js";
import { startOf } from "../../text/secrets/cut.js";
import type { AttemptResult } from "./attempt-result.js";

const maxCommand = 120;
const unchecked = "no check was run";

/** How work ended that nobody judged, as far as its record tells: by its last check, else by its last action. Nothing done is no success. */
export function judgeWork(
  actions: readonly Action[],
  { isInterrupted = false }: { isInterrupted?: boolean | undefined } = {},
): AttemptResult {
  const check = actions.findLast((action) => judgesWork(commandOf(action) ?? ""));
  if (check !== undefined) {
    const name = startOf(commandOf(check) ?? "", maxCommand);
    return check.success
      ? { outcome: "success", reason: `the last check of the session passed: ${name}` }
      : {
          outcome: "failure",
          reason: `the last check of the session failed: ${name}`,
          output: [check.error, check.output].filter(Boolean).join("\n"),
        };
  }
  const last = actions.at(-1);
  if (isInterrupted || last === undefined) return { outcome: "failure", reason: interrupted };
  if (last.success) return { outcome: "success", reason: `${unchecked}, and nothing failed at the end` };
  return { outcome: "failure", reason: `${unchecked}, and the last action failed: ${last.tool}` };
}
