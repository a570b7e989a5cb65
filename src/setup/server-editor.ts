import { isDeepStrictEqual } from "node:util";
import type { Part } from "./agent-files.js";
import type { PartEditor } from "./edit-parts.js";
import { wordsOf } from "./find-agents.js";
import {
  endOf,
  findMember,
  hasComments,
  insertItem,
  isBlank,
  parseJsonc,
  plainValue,
  removeItem,
  valueIn,
} from "./formats/jsonc.js";
import { problemInLine } from "./formats/text-edit.js";
import {
  addTable,
  cutTable,
  findTable,
  findToml,
  isTable,
  lineAbout,
  parseToml,
  replaceValues,
} from "./formats/toml.js";
import { isOwnServerCommand, isServerCommand } from "./own-program.js";

/** The name of our server in every agent's settings. */
export const serverName = "ralph";

type ServerPart = Part & { kind: "mcp" };

/** The MCP server in an agent's settings. One that the user wrote differently is kept. */
export const serverEditor: PartEditor<"mcp"> = {
  add(text, { format }, { program }) {
    const words = [...program.words, "mcp"];
    const present = text === undefined ? undefined : findServer(text, format);
    if (text === undefined || present === undefined) return insertServer(text, words, format);
    if (!isServerCommand(present.words))
      throw problemInLine(
        present.line,
        `another server is already named "${serverName}"`,
        "rename or remove it, and run ralph setup again; nothing was changed",
      );
    const isCurrent = !present.isOwn || present.words.join("\n") === words.join("\n");
    if (isCurrent) return text;
    if (format === "codex-toml") return replaceValues(text, tomlPath, tomlValues(words));
    return insertServer(removeItem(text, jsonPath(format)), words, format);
  },
  remove(text, { format }) {
    if (!findServer(text, format)?.isOwn) return text;
    return format === "codex-toml" ? cutTable(text, tomlPath) : removeItem(text, jsonPath(format));
  },
  has: (text, { format }) => isServerCommand(findServer(text, format)?.words ?? []),
};

/** Whether the entry contains approvals of the user, which are removed with it: Codex stores them there. */
export function hasServerApprovals(text: string, { format }: ServerPart): boolean {
  return format === "codex-toml" && findToml(parseToml(text), ...tomlPath, "tools") !== undefined;
}

/** Whether the entry itself disables the server. */
export function isServerOff(text: string, { format }: ServerPart): boolean {
  return findServer(text, format)?.isOff ?? false;
}

interface FoundServer {
  words: string[];
  line: number;
  /** It is written as setup writes it, wherever the program is installed. */
  isOwn: boolean;
  isOff: boolean;
}

function findServer(text: string, format: ServerPart["format"]): FoundServer | undefined {
  return format === "codex-toml" ? findInToml(text) : findInJson(text, format);
}

function insertServer(
  text: string | undefined,
  words: readonly string[],
  format: ServerPart["format"],
): string {
  if (format !== "codex-toml") {
    const [key] = jsonPath(format);
    return insertItem(text, [key], serverName, jsonEntry(words, format));
  }
  checkRoom(text ?? "");
  const lines = Object.entries(tomlValues(words)).map(([key, value]) => `${key} = ${value}`);
  return addTable(text, tomlPath, lines);
}

type JsonFormat = Exclude<ServerPart["format"], "codex-toml">;

function jsonPath(format: JsonFormat): [string, string] {
  return [format === "opencode" ? "mcp" : "mcpServers", serverName];
}

/** Opencode has one list of words, the others have a program and its arguments. */
function jsonEntry(words: readonly string[], format: JsonFormat): unknown {
  const [command = "", ...args] = words;
  return format === "opencode" ? { type: "local", command: words, enabled: true } : { command, args };
}

function findInJson(text: string, format: JsonFormat): FoundServer | undefined {
  if (isBlank(text)) return undefined;
  const [key, name] = jsonPath(format);
  const member = findMember(valueIn(findMember(parseJsonc(text), key)), name);
  if (member === undefined) return undefined;
  const value = plainValue(valueIn(member));
  const words = wordsOf(value);
  const isPlain =
    isDeepStrictEqual(value, jsonEntry(words, format)) &&
    !hasComments(text.slice(member.offset, endOf(member)));
  return {
    words,
    line: text.slice(0, member.offset).split("\n").length,
    isOwn: isPlain && isOwnServerCommand(words),
    isOff: Object(value).enabled === false,
  };
}

const tomlServers = "mcp_servers";
const tomlPath = [tomlServers, serverName];
/** Codex stores the user's approvals below `tools`. */
const ownKeys = new Set(["command", "args", "tools"]);

function tomlValues([command, ...args]: readonly string[]): Record<string, string> {
  // A JSON string is also a TOML string.
  return {
    command: JSON.stringify(command),
    args: `[${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
  };
}

function findInToml(text: string): FoundServer | undefined {
  const server = findToml(parseToml(text), ...tomlPath);
  if (server === undefined) return undefined;
  const words = wordsOf(server);
  const span = findTable(text, tomlPath);
  const ownText = text.slice(span?.start, span?.ownEnd);
  const outsideOfStrings = ownText.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "");
  const isOwn =
    span !== undefined &&
    isTable(server) &&
    isOwnServerCommand(words) &&
    typeof server.command === "string" &&
    Array.isArray(server.args) &&
    Object.keys(server).every((key) => ownKeys.has(key)) &&
    !outsideOfStrings.includes("#");
  return { words, line: lineAbout(text, tomlPath), isOwn, isOff: Object(server).enabled === false };
}

/** Throws where no table of ours can be added: the servers are a list, or an inline table. */
function checkRoom(text: string): void {
  const present = findToml(parseToml(text), tomlServers);
  const header = `[${tomlPath.join(".")}]`;
  if (present === undefined || (isTable(present) && canFollow(text, header))) return;
  const form = Array.isArray(present) ? "a list" : isTable(present) ? "one value in braces" : "no table";
  throw problemInLine(
    lineAbout(text, [tomlServers]),
    `${tomlServers} is ${form}, so no ${header} can be added`,
    `write it as tables, [${tomlServers}.NAME], and run ralph setup again; nothing was changed`,
  );
}

function canFollow(text: string, header: string): boolean {
  try {
    parseToml(`${text}\n${header}\n`);
    return true;
  } catch {
    return false;
  }
}
