import { findFailures } from "../failures/find-failures.js";
import { clipDeep } from "../text/secrets/clip-output.js";

const exitStatus = /^(?:Exit Code|Process exited with code|exit status):? (\d+)\s*$/im;
const refused =
  /^[\w./-]{1,60}: (?:.{0,200}: )?(?:command not found|No such file or directory|Permission denied|cannot .{1,200}|not found)$/m;

/** Whether a command failed, told by what it printed: some agents pass on nothing else. */
export function looksFailed(printed: string): boolean {
  const output = clipDeep(printed);
  const status = exitStatus.exec(output)?.[1];
  if (status !== undefined) return status !== "0";
  return refused.test(output) || findFailures(output).length > 0;
}
