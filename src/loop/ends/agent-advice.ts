import { basename } from "node:path";
import type { AgentDefinition } from "../../agents/agent-definition.js";

const passing =
  /\b(?:rate.?limit\w*|too many requests|overload\w*|temporar\w+|try again|retry|timed? ?out|unavailable|network|429|5(?:00|02|03|04|29)|E(?:CONN\w+|TIMEDOUT|AI_AGAIN|NOTFOUND|PIPE|AGAIN|BUSY))\b/i;
const unsetVariable =
  /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b.*\b(?:not set|unset|missing|required|undefined|not defined|not found|empty)\b|\b(?:set|missing|provide|export)\b.*?\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/;
const login = /\b(?:log ?in|logged in|unauthori[sz]ed|401|api.?key|credentials?|authenticat\w+)\b/i;

/** Whether the trouble may be gone after a pause, as that of a network or of a service that is too busy. */
export function mayPass(trouble: string): boolean {
  return passing.test(trouble);
}

/** What to do if the agent could not use tools that the task may need; undefined if it could use all. */
export function adviceOnDenied(name: string, denied: readonly string[]): string | undefined {
  if (denied.length === 0) return undefined;
  return `permit ${name} to use ${denied.join(", ")} in its own settings (or start anew with --allow-all, where nothing can be lost)`;
}

/** What to do about an agent that fails at once. */
export function adviceFor(
  { name, program }: Pick<AgentDefinition, "name" | "program">,
  trouble: string,
): string {
  const [, one, other] = unsetVariable.exec(trouble) ?? [];
  const variable = one ?? other;
  if (variable !== undefined) return `set ${variable}`;
  const byHand = `start ${basename(program)} by hand`;
  if (login.test(trouble)) return `log in to ${name}: ${byHand}`;
  return `${byHand} to see why`;
}
