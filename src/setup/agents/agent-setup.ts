import type { Environment } from "../../domain/environment.js";

export const agentNames = ["claude", "codex", "gemini", "opencode", "cursor"] as const;

export type AgentName = (typeof agentNames)[number];

/** Whose settings: those in the project's folder, or the user's own for all projects. */
export type Scope = "project" | "user";

/** Where an agent's files are looked for. */
export interface Places {
  /** The worktree or folder of the project. */
  root: string;
  /** The user's home. */
  home: string;
  environment: Environment;
}

/** An event that an agent tells by running a command. */
export interface HookEvent {
  name: string;
  /** In the agent's own unit. */
  timeout: number;
}

/** One thing that is written for an agent, and where that agent reads it. */
export type Part =
  | { kind: "hooks"; path: string; events: readonly HookEvent[]; handler?: Readonly<Record<string, string>> }
  | { kind: "mcp"; path: string; format: "mcpServers" | "opencode" | "codex-toml" }
  | { kind: "skill"; path: string }
  | { kind: "plugin"; path: string }
  | { kind: "block"; path: string };

/** A coding agent as data: how it is found, what is written where, and how a plugin of ours is told. */
export interface AgentSetup {
  name: AgentName;
  title: string;
  /** Programs, one of which is on the PATH where it is installed. */
  programs: readonly string[];
  /** Folders of the project or of the user's home that it makes. */
  folders: readonly string[];
  parts(scope: Scope, places: Places): Part[];
  /** Where the agent's own command keeps servers that the user added for this project alone. */
  ownServers?(places: Places): { path: string; keys: readonly string[] };
  /** Where an installed plugin of ours is written down, each with the keys that lead to its name. */
  pluginRecords(places: Places): PluginRecord[];
}

export type PluginRecord =
  | { kind: "json" | "toml"; path: string; keys: readonly string[] }
  | { kind: "folder"; path: string };

/** The name of the plugin, of the extension, of the skill, and of the package. */
export const pluginName = "ralph-memory";
