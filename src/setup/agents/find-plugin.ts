import { existsSync } from "node:fs";
import { findProgram } from "../../agents/find-program.js";
import { maxGivenBytes, readRegularFile } from "../../files/read-regular-file.js";
import { jsonAt } from "../jsonc/json-at.js";
import { programName } from "../programs/own-program.js";
import { findToml, isTable, parseToml } from "../toml/parse-toml.js";
import { type AgentSetup, type Places, type PluginRecord, pluginName } from "./agent-setup.js";

/** Where it is written down that a plugin of ours is installed and on. */
export function findInstalledPlugin(agent: AgentSetup, places: Places): string | undefined {
  return agent.pluginRecords(places).find(isInstalled)?.path;
}

/** What an installed plugin lacks: it starts the program by its name. */
export function missingForPlugin({ root, environment }: Places): string[] {
  return findProgram(programName, { folder: root, searchPath: environment.PATH }) === undefined
    ? [`the plugin starts ${programName}, which is not on the PATH: npm install --global ${pluginName}`]
    : [];
}

function isInstalled(record: PluginRecord): boolean {
  if (record.kind === "folder") return existsSync(record.path);
  try {
    const text = readRegularFile(record.path, { maxBytes: maxGivenBytes }).toString("utf8");
    const plugins = record.kind === "json" ? jsonAt(text, record.keys) : tomlAt(text, record.keys);
    return Object.entries(plugins).some(([name, value]) => name.split("@")[0] === pluginName && isOn(value));
  } catch {
    // A file that is missing or damaged turns nothing on.
    return false;
  }
}

function tomlAt(text: string, keys: readonly string[]): object {
  const table = findToml(parseToml(text), ...keys);
  return isTable(table) ? table : {};
}

/** Claude Code has `true` or `false`, Codex a table with `enabled`. */
function isOn(value: unknown): boolean {
  return typeof value === "object" && value !== null && "enabled" in value
    ? value.enabled !== false
    : value !== false;
}
