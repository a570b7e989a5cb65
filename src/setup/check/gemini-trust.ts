import { dirname, join } from "node:path";
import { isInside, realPathOf } from "../../files/path-inside.js";
import type { Places } from "../agents/agent-setup.js";
import { geminiSettingsFiles } from "../agents/settings-files.js";
import { serverName } from "../plan/server-name.js";
import { shortPath } from "../plan/short-path.js";
import { readJsonSettings } from "./read-settings.js";

/** Gemini CLI reads a project's settings only in folders that the user trusts. Its trust is read here, never written. */
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

/** Gemini CLI starts a server unless a list in its settings leaves it out. */
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
  // A list without any name allows all of them.
  const allowing = listsOf("allowed").find(({ names }) => names.length > 0 && !names.includes(serverName));
  return allowing === undefined ? [] : say(`${serverName} is not in mcp.allowed`, allowing.path);
}
