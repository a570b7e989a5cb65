/** How an agent tells what it does: which of the formats its standard output has. */
export const agentOutputs = [
  "claude-stream-json",
  "codex-json",
  "gemini-stream-json",
  "opencode-json",
  "text",
] as const;

export type AgentOutput = (typeof agentOutputs)[number];

/** How an agent is given its prompt. */
export const promptWays = ["stdin", "argument"] as const;

export type PromptWay = (typeof promptWays)[number];

/** The agents that are known without settings, in the order in which one is looked for. */
export const builtInAgentNames = ["claude", "codex", "gemini", "opencode"] as const;

export type BuiltInAgentName = (typeof builtInAgentNames)[number];

/** What `ralph.yml` says about an agent; of a built-in one only what differs. */
export interface AgentSetting {
  program?: string;
  args?: string[];
  prompt?: PromptWay;
  output?: AgentOutput;
  /** Passed unless everything is allowed. */
  careful_args?: string[];
  /** Passed only when the user allows everything. */
  allow_all_args?: string[];
}
