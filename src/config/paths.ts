import { join, resolve } from "node:path";
import { type Environment, homeFolder } from "../domain/environment.js";

/** The user's own folder, for settings and notes outside any project. */
export function userHome(environment: Environment): string {
  const { RALPH_HOME } = environment;
  return RALPH_HOME ? resolve(RALPH_HOME) : join(homeFolder(), ".ralph");
}

export const settingsFileName = "ralph.yml";

const ownVariables = [
  ...[
    "RALPH_HOME",
    "RALPH_ROOT",
    "RALPH_DEBUG",
    "RALPH_TASK",
    "RALPH_MARK",
    "RALPH_TRUST",
    "RALPH_HOOK_CHILD",
  ],
  ...["RALPH_MCP_TOKEN", "RALPH_PAGER", "RALPH_STORE_PASSWORD", "RALPH_STORE_PASSWORD_FILE"],
];

/** Whether the environment may contain settings, such as `RALPH_MEMORIES_BUDGET`. */
export function hasSettingVariable(environment: Environment): boolean {
  return Object.keys(environment).some(maySet);
}

/** Whether a variable may be a setting, by its name. */
export function maySet(variable: string): boolean {
  return variable.startsWith("RALPH_") && !ownVariables.includes(variable);
}

/** Whether the user trusts whatever the project brings, such as in CI. */
export function isTrustingAll({ RALPH_TRUST: value }: Environment): boolean {
  return value === "1" || value === "true";
}
