import { dirname, join } from "node:path";
import type { TomlTable } from "smol-toml";
import { isInside, realPathOf } from "../files/path-inside.js";
import {
  type AgentName,
  claudeSettingsFiles,
  claudeState,
  codexSettings,
  geminiSettingsFiles,
  type Places,
  type Scope,
} from "./agent-files.js";
import { shortPath } from "./file-changes.js";
import { readJsonSettings, readTomlSettings } from "./find-agents.js";
import { findToml } from "./formats/toml.js";
import type { FoundHook } from "./hooks-editor.js";
import { serverName } from "./server-editor.js";

/** Claude Code starts a server of `.mcp.json` once the user has approved it. Approvals are only read here. */
export function claudeDoubts(places: Places): string[] {
  const state = claudeState(places);
  const projects = Object(readJsonSettings(state).projects) as Record<string, unknown>;
  const answers = [
    ...claudeSettingsFiles(places).map((path) => ({ path, settings: readJsonSettings(path) })),
    { path: state, settings: Object(projects[places.root]) as Record<string, unknown> },
  ];
  const isNamed = (names: unknown) => [names].flat().includes(serverName);
  // Any refusal overrides all approvals.
  const refusal = answers.find(({ settings }) => isNamed(settings.disabledMcpjsonServers));
  if (refusal !== undefined)
    return [
      `Claude Code does not start the server in .mcp.json: ${serverName} is in disabledMcpjsonServers in ${shortPath(refusal.path, places)}`,
    ];
  const isApproved = answers.some(
    ({ settings }) => settings.enableAllProjectMcpServers === true || isNamed(settings.enabledMcpjsonServers),
  );
  return isApproved
    ? []
    : ["Claude Code starts the server in .mcp.json once you approve it: start claude here"];
}

/** Codex skips hooks that the user has not trusted, silently in `codex exec`. Its trust settings are only read here. */
export function codexDoubts({
  hooks,
  path,
  scope,
  places,
}: {
  hooks: readonly FoundHook[];
  path: string;
  scope: Scope;
  places: Places;
}): string[] {
  // Without readable settings, Codex trusts nothing.
  const settings = readTomlSettings(codexSettings("user", places));
  const files = [...new Set([path, realPathOf(path)])];
  const untrusted = hooks.filter(({ event, group, handler }) => {
    const keys = files.map((file) => `${file}:${snakeCase(event)}:${group}:${handler}`);
    return !keys.some((key) => {
      const isTrusted = typeof findToml(settings, "hooks", "state", key, "trusted_hash") === "string";
      return isTrusted && findToml(settings, "hooks", "state", key, "enabled") !== false;
    });
  });
  const doubts: string[] = [];
  if (scope === "project" && !isTrustedProject(settings, places.root))
    doubts.push(
      "Codex does not trust this project, and reads nothing in .codex: start codex here and trust the folder",
    );
  if (untrusted.length > 0)
    doubts.push(
      `Codex skips ${untrusted.length} of ${hooks.length} hooks in ${shortPath(path, places)} until you trust them: ` +
        `start codex, enter /hooks, and review them (${untrusted.map(({ event }) => event).join(", ")})`,
    );
  return doubts;
}

function isTrustedProject(settings: TomlTable, root: string): boolean {
  return [root, realPathOf(root)].some(
    (folder) => findToml(settings, "projects", folder, "trust_level") === "trusted",
  );
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

/** Gemini CLI reads a project's settings only in folders that the user trusts. Its trust settings are only read here. */
export function geminiDoubts({ root, home, environment }: Places): string[] {
  const path = environment.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(home, ".gemini/trustedFolders.json");
  const rules = Object.entries(readJsonSettings(path));
  const folder = realPathOf(root);
  const isTrusted = rules.some(
    ([place, rule]) =>
      (rule === "TRUST_FOLDER" && isInside(place, folder)) ||
      (rule === "TRUST_PARENT" && isInside(dirname(place), folder)),
  );
  const isDistrusted = rules.some(([place, rule]) => rule === "DO_NOT_TRUST" && place === folder);
  if (isTrusted && !isDistrusted) return [];
  return [
    "Gemini CLI does not trust this folder, and loads neither hooks nor servers from .gemini: start gemini here and trust " +
      "the folder (/permissions), or use ralph setup gemini --user",
  ];
}

/** Gemini CLI starts a server unless a list in its settings excludes it. */
export function geminiServerDoubts(places: Places): string[] {
  const files = geminiSettingsFiles(places);
  const listsOf = (key: "allowed" | "excluded") =>
    files.flatMap((path) => {
      const names: unknown = Object(readJsonSettings(path).mcp)[key];
      return Array.isArray(names)
        ? [{ path, names: names.map((name) => String(name).toLowerCase().trim()) }]
        : [];
    });
  const say = (list: string, path: string) => [
    `Gemini CLI does not start the server: ${list} in ${shortPath(path, places)}`,
  ];
  const excluding = listsOf("excluded").find(({ names }) => names.includes(serverName));
  if (excluding !== undefined) return say(`${serverName} is in mcp.excluded`, excluding.path);
  // An empty list allows all of them.
  const allowing = listsOf("allowed").find(({ names }) => names.length > 0 && !names.includes(serverName));
  return allowing === undefined ? [] : say(`${serverName} is not in mcp.allowed`, allowing.path);
}

/** Why an agent does not run our registered hook: its settings disable hooks. */
export function hooksOff(agent: AgentName, places: Places): string | undefined {
  const said = switches[agent]?.(places);
  return said && `${said.setting} in ${shortPath(said.path, places)}`;
}

interface Switch {
  setting: string;
  path: string;
}

const switches: Partial<Record<AgentName, (places: Places) => Switch | undefined>> = {
  claude(places) {
    const disabled = lastWith(claudeSettingsFiles(places), (file) => readJsonSettings(file).disableAllHooks);
    return disabled?.value === true
      ? { setting: "Claude Code runs no hooks: disableAllHooks is true", path: disabled.file }
      : undefined;
  },
  codex(places) {
    const files = [codexSettings("user", places), codexSettings("project", places)];
    // The second is an older name, which the first always overrides.
    for (const name of ["hooks", "codex_hooks"]) {
      const feature = lastWith(files, (file) => findToml(readTomlSettings(file), "features", name));
      if (feature === undefined) continue;
      return feature.value === false
        ? { setting: `Codex runs no hooks: features.${name} is false`, path: feature.file }
        : undefined;
    }
    return undefined;
  },
  gemini(places) {
    const files = geminiSettingsFiles(places);
    const configOf = (file: string) => Object(readJsonSettings(file).hooksConfig);
    const enabled = lastWith(files, (file) => configOf(file).enabled);
    if (enabled?.value === false)
      return { setting: "Gemini CLI runs no hooks: hooksConfig.enabled is false", path: enabled.file };
    const path = files.find((file) => [configOf(file).disabled].flat().includes("ralph"));
    return path === undefined
      ? undefined
      : { setting: "Gemini CLI does not run the hooks: ralph is in hooksConfig.disabled", path };
  },
};

/** A setting in the last file that contains it, which takes precedence. */
function lastWith(
  files: readonly string[],
  read: (file: string) => unknown,
): { file: string; value: unknown } | undefined {
  return files.map((file) => ({ file, value: read(file) })).findLast(({ value }) => value !== undefined);
}
