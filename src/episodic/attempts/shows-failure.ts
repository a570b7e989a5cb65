import { isLookup, judgesWork } from "../../domain/tasks/command-kind.js";
import { findFailures } from "../../failures/find-failures.js";

export interface Printed {
  /** Undefined for other tools. */
  command: string | undefined;
  output: string;
  /** What the exit status said; undefined if nothing told it. */
  isSuccess: boolean | undefined;
}

const exitStatus = /^\(?(?:Exit Code|Process exited with code|exit status):? (-?\d+)\)?\s*$/im;
const refused =
  /^[\w./-]{1,60}: (?:.{0,200}: )?(?:command not found|No such file or directory|Permission denied|cannot .{1,200}|not found)$/m;
/** The exit status of such a line is that of its last command, which may be another one than what was checked. */
const hidesExit = /[^|]\|[^|]|\|\||;/;

/**
 * Whether a command failed. Where its exit status is hidden by a pipe or by another command, what a check or a build printed
 * decides; where nothing tells it, what was printed does, unless the command only looks at something, which may be a failure's text.
 */
export function showsFailure({ command, output, isSuccess }: Printed): boolean {
  const status = isSuccess === undefined ? exitStatus.exec(output)?.[1] : undefined;
  const isTold = status === undefined ? isSuccess : status === "0";
  if (isTold === false) return true;
  if (isTold === undefined && refused.test(output)) return true;
  if (command === undefined || (isTold && !hidesExit.test(command))) return false;
  const isJudged = isTold ? judgesWork(command) : !isLookup(command);
  return isJudged && findFailures(output).length > 0;
}
