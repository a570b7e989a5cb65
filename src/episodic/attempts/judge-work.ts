import { type Action, commandOf } from "../../domain/tasks/action.js";
import { learnedLines } from "../../domain/tasks/agent-text.js";
import { interrupted } from "../../domain/tasks/attempt.js";
import { judgesWork } from "../../domain/tasks/command-kind.js";
import { startOf } from "../../text/secrets/clip-output.js";
import type { AttemptResult } from "./attempt-result.js";

/** Whether an action is a command that tells whether work is right, such as tests. */
export function isJudging(action: Pick<Action, "params">): boolean {
  return judgesWork(commandOf(action) ?? "");
}

const maxCommand = 120;
const unchecked = "no check was run";

export interface WorkToJudge {
  actions: readonly Action[];
  /** What the agent said at the end of each turn, as it is recorded. */
  said?: readonly string[] | undefined;
  isInterrupted?: boolean | undefined;
}

/**
 * How work ended that nobody judged, as far as its record tells: by its last check, else by its last action; nothing done is no success.
 * What the agent says it learned is believed where a check passed.
 */
export function judgeWork({ actions, said = [], isInterrupted = false }: WorkToJudge): AttemptResult {
  const check = actions.findLast(isJudging);
  if (check !== undefined) {
    const name = startOf(commandOf(check) ?? "", maxCommand);
    if (check.success) {
      const learned = learnedLines(said.join("\n"));
      const reason = `the last check of the session passed: ${name}`;
      return { outcome: "success", reason, ...(learned.length > 0 && { whatWorked: learned }) };
    }
    return {
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
