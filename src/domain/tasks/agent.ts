/** Formats of an agent's standard output. */
export const agentOutputs = [
  "claude-stream-json",
  "codex-json",
  "gemini-stream-json",
  "opencode-json",
  "text",
] as const;

export type AgentOutput = (typeof agentOutputs)[number];

/** How an agent receives its prompt. */
export const promptInputs = ["stdin", "argument"] as const;

export type PromptInput = (typeof promptInputs)[number];

/** Agents that need no settings, in the order in which Ralph looks for an installed one. */
export const builtInAgentNames = ["claude", "codex", "gemini", "opencode"] as const;

export type BuiltInAgentName = (typeof builtInAgentNames)[number];

/** An agent in `ralph.yml`; for a built-in one, only the differences. */
export interface AgentSetting {
  program?: string;
  args?: string[];
  prompt?: PromptInput;
  output?: AgentOutput;
  /** Passed unless the user allows everything. */
  careful_args?: string[];
  /** Passed only when the user allows everything. */
  allow_all_args?: string[];
}
