import { problemAt } from "../problem-at.js";
import { isOwnServerCommand, isServerCommand } from "../programs/own-program.js";
import { addTable, cutTable, findTable, replaceValue } from "../toml/edit-toml.js";
import {
  findToml,
  isTable,
  parseToml,
  readToml,
  type TomlStatement,
  type TomlValue,
} from "../toml/parse-toml.js";
import { nameIsTaken, serverName } from "./server-name.js";

const servers = "mcp_servers";
const table = [servers, serverName];
/** Codex keeps below it which tools the user has approved. */
const ownKeys = new Set(["command", "args", "tools"]);

/** The text with our server, started by these words. One that the user wrote in another way stays as it is. */
export function addToToml(text: string | undefined, words: readonly string[]): string {
  const [command, ...args] = words;
  // A JSON string is a TOML string as well.
  const values = {
    command: JSON.stringify(command),
    args: `[${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
  };
  const present = text === undefined ? undefined : findToml(parseToml(text), ...table);
  if (text === undefined || present === undefined) {
    checkRoom(text ?? "");
    return addTable(
      text,
      table,
      Object.entries(values).map(([key, value]) => `${key} = ${value}`),
    );
  }
  const old = wordsOf(present);
  if (!isServerCommand(old)) throw nameIsTaken(text, placeOf(text, table));
  const isOlder = isOwn(text, present) && old.join("\n") !== words.join("\n");
  if (!isOlder) return text;
  return Object.entries(values).reduce(
    (edited, [key, value]) => replaceValue(edited, [...table, key], value),
    text,
  );
}

export function removeFromToml(text: string): string | undefined {
  const present = findToml(parseToml(text), ...table);
  return present !== undefined && isOwn(text, present) ? cutTable(text, table) : text;
}

/** Whether Codex keeps with the server what the user allowed its tools. */
export function hasApprovals(text: string): boolean {
  return findToml(parseToml(text), ...table, "tools") !== undefined;
}

export function isInToml(text: string): boolean {
  const present = findToml(parseToml(text), ...table);
  return present !== undefined && isServerCommand(wordsOf(present));
}

export function isOffInToml(text: string): boolean {
  return findToml(parseToml(text), ...table, "enabled") === false;
}

/** Whether the server is written as setup writes it, for whatever place of the program. */
function isOwn(text: string, server: TomlValue): boolean {
  const span = findTable(text, table);
  if (span === undefined || !isTable(server)) return false;
  const outsideOfStrings = text.slice(span.start, span.end).replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "");
  return (
    isOwnServerCommand(wordsOf(server)) &&
    typeof server.command === "string" &&
    Array.isArray(server.args) &&
    Object.keys(server).every((key) => ownKeys.has(key)) &&
    !outsideOfStrings.includes("#")
  );
}

/** Throws where no table of ours can follow: the servers are a list, or one value in braces. */
function checkRoom(text: string): void {
  const present = findToml(parseToml(text), servers);
  if (present === undefined) return;
  const header = `[${table.join(".")}]`;
  if (isTable(present) && canFollow(text, header)) return;
  const form = Array.isArray(present) ? "a list" : isTable(present) ? "one value in braces" : "no table";
  throw problemAt(
    text,
    placeOf(text, [servers]),
    `${servers} is ${form}, so no ${header} can be added`,
    `write it as tables, [${servers}.NAME], and run ralph setup again; nothing was changed`,
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

/** Where something is set for the first time. */
function placeOf(text: string, path: readonly string[]): number {
  const isAbout = (statement: TomlStatement) => path.every((key, index) => statement.path[index] === key);
  const { statements } = readToml(text);
  return (statements.find(isAbout) ?? statements.find(({ path: [first] }) => first === path[0]))?.start ?? 0;
}

function wordsOf(server: TomlValue): string[] {
  if (!isTable(server)) return [];
  return [server.command, server.args].flat().filter((word) => typeof word === "string");
}
