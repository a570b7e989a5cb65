import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../domain/environment.js";

export const agentNames = ["claude", "codex", "gemini", "opencode", "cursor"] as const;

export type AgentName = (typeof agentNames)[number];

/** The project's settings, or the user's own for all projects. */
export type Scope = "project" | "user";

/** Where an agent's files are looked for. */
export interface Places {
  /** The worktree or folder of the project. */
  root: string;
  /** The user's home. */
  home: string;
  environment: Environment;
}

/** An event for which an agent runs a command. */
export interface HookEvent {
  name: string;
  /** In the agent's own unit. */
  timeout: number;
}

/** One part of an agent's integration, and the file it is written to. */
export type Part =
  | { kind: "hooks"; path: string; events: readonly HookEvent[]; handler?: Readonly<Record<string, string>> }
  | { kind: "mcp"; path: string; format: "mcpServers" | "opencode" | "codex-toml" }
  | { kind: "skill"; path: string }
  | { kind: "plugin"; path: string }
  | { kind: "block"; path: string };

/** A coding agent as data: how it is detected, what is written where, and how our installed plugin is recognised. */
export interface AgentSetup {
  name: AgentName;
  title: string;
  /** Its programs; an installed agent has one of them on the PATH. */
  programs: readonly string[];
  /** Folders that it creates in the project or the user's home. */
  folders: readonly string[];
  parts(scope: Scope, places: Places): Part[];
  /** Where the agent's own command stores servers added for this project alone. */
  ownServers?(places: Places): { path: string; keys: readonly string[] };
  /** Where the agent records installed plugins, each with the keys that lead to the name. */
  pluginRecords?(places: Places): PluginRecord[];
}

export type PluginRecord =
  | { kind: "json" | "toml"; path: string; keys: readonly string[] }
  | { kind: "folder"; path: string };

/** The name of the plugin, the extension, the skill and the package. */
export const pluginName = "ralph-memory";

// Where each agent reads its settings. Later files override earlier ones.

/** The root folder of all settings of a scope, unless an environment variable of the agent names another. */
export function settingsBase(scope: Scope, { root, home }: Places): string {
  return scope === "user" ? home : root;
}

export function claudeFolder(scope: Scope, places: Places): string {
  const moved = scope === "user" ? places.environment.CLAUDE_CONFIG_DIR : undefined;
  return moved || join(settingsBase(scope, places), ".claude");
}

export function claudeSettingsFiles(places: Places): string[] {
  return [
    join(claudeFolder("user", places), "settings.json"),
    join(claudeFolder("project", places), "settings.json"),
    join(claudeFolder("project", places), "settings.local.json"),
  ];
}

/** The user's servers and the approvals per project, in a file next to the user's folder. */
export function claudeState({ home, environment }: Places): string {
  return join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json");
}

export function codexFolder(scope: Scope, places: Places): string {
  const moved = scope === "user" ? places.environment.CODEX_HOME : undefined;
  return moved || join(settingsBase(scope, places), ".codex");
}

export function codexSettings(scope: Scope, places: Places): string {
  return join(codexFolder(scope, places), "config.toml");
}

export function geminiSettings(scope: Scope, places: Places): string {
  return join(settingsBase(scope, places), ".gemini/settings.json");
}

export function geminiSettingsFiles(places: Places): string[] {
  return [geminiSettings("user", places), geminiSettings("project", places)];
}

/** The folder of its plugins; its project settings are next to it. */
export function opencodeFolder(scope: Scope, { root, home, environment }: Places): string {
  if (scope === "project") return join(root, ".opencode");
  return join(environment.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

/** Whichever of the two names exists. */
export function opencodeSettings(scope: Scope, places: Places): string {
  const folder = scope === "user" ? opencodeFolder(scope, places) : places.root;
  const withComments = join(folder, "opencode.jsonc");
  return existsSync(withComments) ? withComments : join(folder, "opencode.json");
}

/** A hook answers or gives up within two seconds; this allows for a machine under load. */
const seconds = 10;
/** Nobody waits at the end of a session; Claude Code allows 1.5 s by default, and at most this. */
const lastSeconds = 60;
/** Codex allows no more than this, and warns in every session if more is requested. */
const codexLastSeconds = 3;

const events = (names: string, { unit = 1, last = lastSeconds } = {}): HookEvent[] =>
  names.split(" ").map((name) => ({ name, timeout: unit * (name === "SessionEnd" ? last : seconds) }));

const skillIn = (folder: string) => join(folder, "skills", pluginName, "SKILL.md");

const claude: AgentSetup = {
  name: "claude",
  title: "Claude Code",
  programs: ["claude"],
  folders: [".claude"],
  parts(scope, places) {
    const folder = claudeFolder(scope, places);
    return [
      {
        kind: "hooks",
        path: join(folder, "settings.json"),
        events: events(
          "SessionStart UserPromptSubmit PostToolUse PostToolUseFailure Stop SubagentStop SessionEnd",
        ),
      },
      {
        kind: "mcp",
        path: scope === "user" ? claudeState(places) : join(places.root, ".mcp.json"),
        format: "mcpServers",
      },
      { kind: "skill", path: skillIn(folder) },
    ];
  },
  ownServers: (places) => ({
    path: claudeState(places),
    keys: ["projects", places.root, "mcpServers"],
  }),
  pluginRecords: (places) =>
    claudeSettingsFiles(places).map((path) => ({ kind: "json", path, keys: ["enabledPlugins"] })),
};

const codex: AgentSetup = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  folders: [".codex"],
  parts(scope, places) {
    return [
      {
        kind: "hooks",
        path: join(codexFolder(scope, places), "hooks.json"),
        events: events("SessionStart UserPromptSubmit PostToolUse Stop SubagentStop SessionEnd", {
          last: codexLastSeconds,
        }),
      },
      { kind: "mcp", path: codexSettings(scope, places), format: "codex-toml" },
      { kind: "skill", path: sharedSkill(settingsBase(scope, places)) },
    ];
  },
  pluginRecords: (places) => [{ kind: "toml", path: codexSettings("user", places), keys: ["plugins"] }],
};

const gemini: AgentSetup = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  folders: [".gemini"],
  parts(scope, places) {
    const path = geminiSettings(scope, places);
    return [
      {
        kind: "hooks",
        path,
        events: events("SessionStart BeforeAgent AfterTool AfterAgent SessionEnd", { unit: 1000 }),
        handler: { name: "ralph" },
      },
      { kind: "mcp", path, format: "mcpServers" },
      { kind: "skill", path: sharedSkill(settingsBase(scope, places)) },
    ];
  },
  pluginRecords: ({ home }) => [{ kind: "folder", path: join(home, ".gemini/extensions", pluginName) }],
};

const opencode: AgentSetup = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  folders: [".opencode", ".config/opencode"],
  parts(scope, places) {
    return [
      { kind: "plugin", path: join(opencodeFolder(scope, places), "plugins/ralph.js") },
      { kind: "mcp", path: opencodeSettings(scope, places), format: "opencode" },
      { kind: "skill", path: sharedSkill(settingsBase(scope, places)) },
    ];
  },
};

const cursor: AgentSetup = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor-agent", "cursor"],
  folders: [".cursor"],
  parts(scope, places) {
    const base = settingsBase(scope, places);
    return [
      { kind: "mcp", path: join(base, ".cursor/mcp.json"), format: "mcpServers" },
      { kind: "skill", path: sharedSkill(base) },
      // There is no such file for all projects of a user.
      ...(scope === "user" ? [] : [{ kind: "block" as const, path: join(places.root, "AGENTS.md") }]),
    ];
  },
};

/** Read by Codex, Gemini CLI, opencode and Cursor alike. */
function sharedSkill(base: string): string {
  return skillIn(join(base, ".agents"));
}

/** Every agent that can be connected, by its name. */
export const agentSetups: Readonly<Record<AgentName, AgentSetup>> = {
  claude,
  codex,
  gemini,
  opencode,
  cursor,
};
