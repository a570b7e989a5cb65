import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isObject, isText } from "../../domain/shape.js";
import { unique } from "../../text/unique.js";
import { findSettings } from "../building/find-settings.js";
import type { Surroundings } from "../layout.js";
import { findText } from "../read-plain-file.js";
import { graphFiles } from "./read-graph.js";

const packageName = "server-memory";

/** Its own file is where the package is, so where it was put is known only to the variable and to the settings of clients. */
export function findGraphs({ root, home, environment }: Surroundings): string[] {
  const given = environment.MEMORY_FILE_PATH;
  const paths = [
    ...(given === undefined ? [] : [given]),
    ...graphFiles.map((name) => join(root, name)).filter(isGraph),
    ...clientSettings(root, home).flatMap((path) => configuredPaths(path)),
    ...inNpxCache(home),
  ];
  return unique(paths).filter((path) => isAbsolute(path) && existsSync(path));
}

function clientSettings(root: string, home: string): string[] {
  const ofProject = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".gemini/settings.json"];
  const ofUser = [
    ...[".claude.json", ".cursor/mcp.json", ".gemini/settings.json"],
    ...[".config/Claude", "Library/Application Support/Claude", "AppData/Roaming/Claude"].map(
      (folder) => `${folder}/claude_desktop_config.json`,
    ),
  ];
  return [...ofProject.map((path) => join(root, path)), ...ofUser.map((path) => join(home, path))];
}

/** Of every server in the file, however deep it stands, that runs the package. */
function configuredPaths(path: string): string[] {
  return serversIn(findSettings(path)).flatMap(({ env }) => {
    const file = isObject(env) ? env.MEMORY_FILE_PATH : undefined;
    return isText(file) ? [file] : [];
  });
}

function serversIn(value: unknown): Record<string, unknown>[] {
  if (!isObject(value)) return [];
  const words = Array.isArray(value.args) ? value.args : [];
  const isServer = [value.command, ...words].some((word) => isText(word) && word.includes(packageName));
  return isServer ? [value] : Object.values(value).flatMap(serversIn);
}

function inNpxCache(home: string): string[] {
  const cache = join(home, ".npm", "_npx");
  const names = existsSync(cache) ? readdirSync(cache) : [];
  const folder = join("node_modules", "@modelcontextprotocol", packageName, "dist");
  return names.flatMap((name) => graphFiles.map((file) => join(cache, name, folder, file)));
}

/** Other programs have a memory.json, too. */
function isGraph(path: string): boolean {
  try {
    return /^\s*\{"type":"(?:entity|relation)"/.test(findText(path)?.slice(0, 200) ?? "");
  } catch {
    return false;
  }
}
