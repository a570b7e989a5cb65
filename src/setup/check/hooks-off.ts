import type { AgentName, Places } from "../agents/agent-setup.js";
import { claudeSettingsFiles, codexSettings, geminiSettingsFiles } from "../agents/settings-files.js";
import { shortPath } from "../plan/short-path.js";
import { findToml } from "../toml/parse-toml.js";
import { readJsonSettings, readTomlSettings } from "./read-settings.js";

/** Why an agent runs no hook of ours although it is registered: its settings switch hooks off. */
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
    // The second is an older name, which the first overrides wherever it is set.
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

/** A setting in the last of the files that has it: that is the one which counts. */
function lastWith(
  files: readonly string[],
  read: (file: string) => unknown,
): { file: string; value: unknown } | undefined {
  return files.map((file) => ({ file, value: read(file) })).findLast(({ value }) => value !== undefined);
}
