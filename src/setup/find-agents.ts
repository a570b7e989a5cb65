import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TomlTable } from "smol-toml";
import { findProgram } from "../agents/find-program.js";
import { maxGivenBytes, readRegularFile } from "../files/read-regular-file.js";
import {
  type AgentName,
  type AgentSetup,
  agentNames,
  agentSetups,
  type Places,
  type PluginRecord,
  pluginName,
} from "./agent-files.js";
import { parseJsonc, plainValue } from "./formats/jsonc.js";
import { findToml, parseToml } from "./formats/toml.js";
import { isServerCommand, programName } from "./own-program.js";

/** The agents whose program is on the PATH, or whose folder is in the project or in the user's home. */
export function findAgents({ root, home, environment }: Places): AgentName[] {
  const isOnPath = (program: string) =>
    findProgram(program, { folder: root, searchPath: environment.PATH }) !== undefined;
  const isThere = (folder: string) => [root, home].some((base) => existsSync(join(base, folder)));
  return agentNames.filter((name) => {
    const { programs, folders } = agentSetups[name];
    return programs.some(isOnPath) || folders.some(isThere);
  });
}

/** The user's file in which the agent's own command registered our server for this project. */
export function findOwnServer(agent: AgentSetup, places: Places): string | undefined {
  const own = agent.ownServers?.(places);
  if (own === undefined) return undefined;
  const servers = Object.values(entriesAt({ kind: "json", ...own }));
  return servers.some((server) => isServerCommand(wordsOf(server))) ? own.path : undefined;
}

/** The words of a server entry: a command with its arguments, or one list. */
export function wordsOf(server: unknown): string[] {
  const { command, args } = Object(server) as { command?: unknown; args?: unknown };
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** The file that records our plugin as installed and enabled. */
export function findInstalledPlugin(agent: AgentSetup, places: Places): string | undefined {
  return agent.pluginRecords?.(places).find(isInstalled)?.path;
}

/** What an installed plugin lacks: it starts the program by name. */
export function missingForPlugin({ root, environment }: Places): string[] {
  return findProgram(programName, { folder: root, searchPath: environment.PATH }) === undefined
    ? [`the plugin starts ${programName}, which is not on the PATH: npm install --global ${pluginName}`]
    : [];
}

function isInstalled(record: PluginRecord): boolean {
  if (record.kind === "folder") return existsSync(record.path);
  return Object.entries(entriesAt(record)).some(
    ([name, value]) => name.split("@")[0] === pluginName && isOn(value),
  );
}

/** The values at the keys in a file; empty if they are missing or the file is damaged. */
function entriesAt({ kind, path, keys }: Exclude<PluginRecord, { kind: "folder" }>): object {
  if (kind === "toml") return Object(findToml(readTomlSettings(path), ...keys));
  let value: unknown = readJsonSettings(path);
  for (const key of keys) value = Object(value)[key];
  return Object(value);
}

/** Claude Code has `true` or `false`, Codex a table with `enabled`. */
function isOn(value: unknown): boolean {
  return (Object(value).enabled ?? value) !== false;
}

/** The settings in a file; empty if it is missing, or unreadable for the agent, too. */
export function readJsonSettings(path: string): Record<string, unknown> {
  try {
    return Object(
      plainValue(parseJsonc(readRegularFile(path, { maxBytes: maxGivenBytes }).toString("utf8"))),
    );
  } catch {
    return {};
  }
}

export function readTomlSettings(path: string): TomlTable {
  try {
    return parseToml(readRegularFile(path, { maxBytes: maxGivenBytes }).toString("utf8"));
  } catch {
    return {};
  }
}
