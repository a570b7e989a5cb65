import { join } from "node:path";
import { type AgentName, type AgentSetup, type HookEvent, pluginName } from "./agent-setup.js";
import {
  claudeFolder,
  claudeSettingsFiles,
  claudeState,
  codexFolder,
  codexSettings,
  geminiSettings,
  opencodeFolder,
  opencodeSettings,
  settingsBase,
} from "./settings-files.js";

/** A hook answers within two seconds or gives up by itself; this is for a machine under load. */
const seconds = 10;
/** At the end of a session nobody waits for it; Claude Code gives it 1.5 s unless more is asked for, and at most this. */
const lastSeconds = 60;
/** Codex gives it no more than this, and warns in every session if more is asked for. */
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
  pluginRecords: () => [],
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
  pluginRecords: () => [],
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
