import type { Environment } from "../domain/environment.js";
import { environmentOf, findProcess } from "./table/process-table.js";

const variable = "RALPH_TASK";

/** Whether this process was started by the agent of a run: it has the task in its environment, or a process above it has. */
export function isStartedByAgent(environment: Environment, parent = process.ppid): boolean {
  return Boolean(environment[variable]) || isBelowAgent(parent);
}

function isBelowAgent(pid: number): boolean {
  const parent = findProcess(pid)?.parent ?? 0;
  const variables = environmentOf(pid) ?? "";
  if (variables.split(/[\0 ]/).some((each) => each.startsWith(`${variable}=`))) return true;
  return parent > 1 && isBelowAgent(parent);
}
