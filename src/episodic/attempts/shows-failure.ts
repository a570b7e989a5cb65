import { isLookup, judgesWork } from "../../domain/tasks/command-kind.js";
import { findFailures } from "../../failures/find-failures.js";

export interface Printed {
  /** Undefined for other tools. */
  command: string | undefined;
  output: string;
  /** From the exit status; undefined if it is unknown. */
  isSuccess: boolean | undefined;
}

const exitStatus = /^\(?(?:Exit Code|Process exited with code|exit status):? (-?\d+)\)?\s*$/im;
const refused =
  /^[\w./-]{1,60}: (?:.{0,200}: )?(?:command not found|No such file or directory|Permission denied|cannot .{1,200}|not found)$/m;
/** The exit status of such a line is that of its last command, which may not be the one that was checked. */
const hidesExit = /[^|]\|[^|]|\|\||;/;

/**
 * Whether a command failed. Where a pipe or another command hides its exit status, the output of a check or a build decides. Without an
 * exit status, the output decides, unless the command only reads something, which may contain a failure's text.
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
