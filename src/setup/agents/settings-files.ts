import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Places, Scope } from "./agent-setup.js";

// Where each agent reads its settings. Of several files, later ones win over earlier ones.

/** The folder that all settings of a scope are below, unless a variable of the agent names another. */
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

/** The user's servers, and what was approved in each project: a file beside the user's folder. */
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

/** Of its plugins; its settings for a project are beside it. */
export function opencodeFolder(scope: Scope, { root, home, environment }: Places): string {
  if (scope === "project") return join(root, ".opencode");
  return join(environment.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

/** The one of the two names that is there. */
export function opencodeSettings(scope: Scope, places: Places): string {
  const folder = scope === "user" ? opencodeFolder(scope, places) : places.root;
  const withComments = join(folder, "opencode.jsonc");
  return existsSync(withComments) ? withComments : join(folder, "opencode.json");
}
