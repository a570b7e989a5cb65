import type { ArgumentSpec, OptionSpec } from "../framework/command.js";

export const learningArgument = {
  name: "id",
  summary: "learning id, or a unique prefix of it",
} as const satisfies ArgumentSpec;

export const yesOption = {
  kind: "flag",
  summary: "do not ask for confirmation",
} as const satisfies OptionSpec;

export const dryRunOption = {
  kind: "flag",
  summary: "show what would change, without changing it",
} as const satisfies OptionSpec;
