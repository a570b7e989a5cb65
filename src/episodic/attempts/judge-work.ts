import { type Action, commandOf } from "../../domain/tasks/action.js";
import type { OutcomeStatus } from "../../domain/tasks/attempt.js";
import { isCheck, isLookup } from "../../domain/tasks/command-kind.js";

export interface Judgement {
  outcome: OutcomeStatus;
  /** What it is judged by. */
  reason: string;
  /** Whether a check has said so, and not only that nothing failed. */
  isChecked: boolean;
  /** What the check printed. */
  output?: string | undefined;
}

/** How work went that nobody verified: by its last check, else by its last command. */
export function judgeWork(actions: readonly Action[]): Judgement {
  const commands = actions.filter((action) => commandOf(action) !== undefined);
  const check = commands.findLast((action) => isCheck(commandOf(action) ?? ""));
  if (check !== undefined) return judge(check, true);
  const last = commands.findLast((action) => !isLookup(commandOf(action) ?? "")) ?? actions.at(-1);
  if (last === undefined) return { outcome: "success", reason: "nothing failed", isChecked: false };
  return judge(last, false);
}

function judge(action: Action, isChecked: boolean): Judgement {
  const { success, output, error } = action;
  const what = commandOf(action) ?? action.tool;
  return {
    outcome: success ? "success" : "failure",
    reason: success
      ? isChecked
        ? `the last check passed: ${what}`
        : "nothing failed at the end; no check was run"
      : `the last ${isChecked ? "check" : "command"} failed: ${what}`,
    isChecked,
    output: success ? undefined : (error ?? output),
  };
}
