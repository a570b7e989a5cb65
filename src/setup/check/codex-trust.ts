import { realPathOf } from "../../files/path-inside.js";
import type { Places, Scope } from "../agents/agent-setup.js";
import { codexSettings } from "../agents/settings-files.js";
import type { FoundHook } from "../plan/hooks-editor.js";
import { shortPath } from "../plan/short-path.js";
import { findToml, type TomlTable } from "../toml/parse-toml.js";
import { readTomlSettings } from "./read-settings.js";

/** Codex skips hooks that the user has not trusted, and says nothing in `codex exec`. Its trust is read here, never written. */
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
  // Without settings that Codex can read, it trusts nothing.
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
