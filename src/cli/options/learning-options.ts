import type { ArgumentSpec, OptionSpec } from "../framework/command.js";

/** What several of the commands on learnings share. */
export const learningArgument = {
  name: "id",
  summary: "its id, or as much of it as is unique",
} as const satisfies ArgumentSpec;

export const yesOption = { kind: "flag", summary: "do not ask" } as const satisfies OptionSpec;

export const dryRunOption = {
  kind: "flag",
  summary: "only tell what would change",
} as const satisfies OptionSpec;
