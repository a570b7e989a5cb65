import { suggest } from "../../text/nearest.js";
import { RalphError } from "../ralph-error.js";

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

type AgentSettings = Readonly<Record<string, AgentSetting>>;

/** Agents that can run: the built-in ones, then those that only the settings define. */
export function listAgentNames(agents: AgentSettings): string[] {
  return [...new Set([...builtInAgentNames, ...Object.keys(agents)])];
}

/** The error for an unknown agent name. */
export function unknownAgent(name: string, agents: AgentSettings): RalphError {
  return new RalphError("wrong-use", `Unknown agent: ${name}`, {
    hint: `${suggest(name, listAgentNames(agents))}; define your own under "agents:" in ralph.yml`,
  });
}
