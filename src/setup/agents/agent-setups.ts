import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentName, type AgentSetup, type HookEvent, type Places, pluginName } from "./agent-setup.js";

/** A hook answers within two seconds or gives up by itself; this is for a machine under load. */
const seconds = 10;
/** At the end of a session nobody waits for it; Claude Code gives it 1.5 s unless more is asked for, and at most this. */
const lastSeconds = 60;
/** Codex gives it no more than this, and warns in every session if more is asked for. */
const codexLastSeconds = 3;

const events = (names: string, { unit = 1, last = lastSeconds } = {}): HookEvent[] =>
  names.split(" ").map((name) => ({ name, timeout: unit * (name === "SessionEnd" ? last : seconds) }));

const claudeHome = ({ home, environment }: Places) => environment.CLAUDE_CONFIG_DIR || join(home, ".claude");
/** The user's servers are in a file beside the folder. */
const claudeState = ({ home, environment }: Places) =>
  join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json");
const codexHome = ({ home, environment }: Places) => environment.CODEX_HOME || join(home, ".codex");
const opencodeHome = ({ home, environment }: Places) =>
  join(environment.XDG_CONFIG_HOME || join(home, ".config"), "opencode");

const skillIn = (folder: string) => join(folder, "skills", pluginName, "SKILL.md");

/** The one of the two names that is there. */
const opencodeSettings = (folder: string) =>
  existsSync(join(folder, "opencode.jsonc")) ? join(folder, "opencode.jsonc") : join(folder, "opencode.json");

const claude: AgentSetup = {
  name: "claude",
  title: "Claude Code",
  programs: ["claude"],
  folders: [".claude"],
  parts(scope, places) {
    const folder = scope === "user" ? claudeHome(places) : join(places.root, ".claude");
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
    [
      join(claudeHome(places), "settings.json"),
      join(places.root, ".claude/settings.json"),
      join(places.root, ".claude/settings.local.json"),
    ].map((path) => ({ kind: "json", path, keys: ["enabledPlugins"] })),
};

const codex: AgentSetup = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  folders: [".codex"],
  parts(scope, places) {
    const folder = scope === "user" ? codexHome(places) : join(places.root, ".codex");
    return [
      {
        kind: "hooks",
        path: join(folder, "hooks.json"),
        events: events("SessionStart UserPromptSubmit PostToolUse Stop SubagentStop SessionEnd", {
          last: codexLastSeconds,
        }),
      },
      { kind: "mcp", path: join(folder, "config.toml"), format: "codex-toml" },
      { kind: "skill", path: sharedSkill(scope === "user" ? places.home : places.root) },
    ];
  },
  pluginRecords: (places) => [
    { kind: "toml", path: join(codexHome(places), "config.toml"), keys: ["plugins"] },
  ],
};

const gemini: AgentSetup = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  folders: [".gemini"],
  parts(scope, { home, root }) {
    const base = scope === "user" ? home : root;
    const path = join(base, ".gemini/settings.json");
    return [
      {
        kind: "hooks",
        path,
        events: events("SessionStart BeforeAgent AfterTool AfterAgent SessionEnd", { unit: 1000 }),
        handler: { name: "ralph" },
      },
      { kind: "mcp", path, format: "mcpServers" },
      { kind: "skill", path: sharedSkill(base) },
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
    const isUser = scope === "user";
    const folder = isUser ? opencodeHome(places) : join(places.root, ".opencode");
    return [
      { kind: "plugin", path: join(folder, "plugins/ralph.js") },
      { kind: "mcp", path: opencodeSettings(isUser ? folder : places.root), format: "opencode" },
      { kind: "skill", path: sharedSkill(isUser ? places.home : places.root) },
    ];
  },
  pluginRecords: () => [],
};

const cursor: AgentSetup = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor-agent", "cursor"],
  folders: [".cursor"],
  parts(scope, { home, root }) {
    const base = scope === "user" ? home : root;
    return [
      { kind: "mcp", path: join(base, ".cursor/mcp.json"), format: "mcpServers" },
      { kind: "skill", path: sharedSkill(base) },
      // There is no such file for all projects of a user.
      ...(scope === "user" ? [] : [{ kind: "block" as const, path: join(root, "AGENTS.md") }]),
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
