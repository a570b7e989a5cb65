import { insertItem, removeItem } from "../jsonc/edit-jsonc.js";
import { findMember, parseJsonc, plainValue } from "../jsonc/parse-jsonc.js";
import { problemAt } from "../problem-at.js";
import { isServerCommand, type OwnProgram } from "../programs/own-program.js";
import { cutTable, putTable } from "../toml/edit-toml.js";
import {
  findToml,
  isTable,
  parseToml,
  readToml,
  type TomlStatement,
  type TomlValue,
} from "../toml/parse-toml.js";
import type { PartEditor } from "./part-editor.js";

const serverName = "ralph";
const renameHint = "rename or remove it, and run ralph setup again; nothing was changed";

/** The server of tools in an agent's settings. */
export const serverEditor: PartEditor<"mcp"> = {
  add(text, { format }, { program }) {
    if (format === "codex-toml") return addToToml(text, program);
    const key = format === "opencode" ? "mcp" : "mcpServers";
    const value = entryOf(program, format);
    const present = text === undefined ? undefined : findServer(text, key);
    if (present === undefined) return insertItem(text, [key], serverName, value);
    if (!isServerCommand(present.words)) {
      throw problemAt(
        text ?? "",
        present.offset,
        `another server is already named "${serverName}"`,
        renameHint,
      );
    }
    if (present.words.join("\n") === [...program.words, "mcp"].join("\n")) return text ?? "";
    return insertItem(removeItem(text ?? "", [key, serverName]), [key], serverName, value);
  },
  remove(text, { format }) {
    if (format === "codex-toml") return removeFromToml(text);
    const key = format === "opencode" ? "mcp" : "mcpServers";
    const present = findServer(text, key);
    return present !== undefined && isServerCommand(present.words)
      ? removeItem(text, [key, serverName])
      : text;
  },
};

function entryOf({ words }: OwnProgram, format: "mcpServers" | "opencode"): unknown {
  const [command = "", ...args] = [...words, "mcp"];
  return format === "opencode"
    ? { type: "local", command: [command, ...args], enabled: true }
    : { command, args };
}

/** Opencode has one list of words, the others a program and its arguments. */
function findServer(text: string, key: string): { words: string[]; offset: number } | undefined {
  const member = findMember(findMember(parseJsonc(text), key)?.value, serverName);
  if (member === undefined) return undefined;
  const value = plainValue(member.value) as { command?: unknown; args?: unknown } | null;
  const words = [value?.command, value?.args].flat().filter((word) => typeof word === "string");
  return { words, offset: member.start };
}

const table = ["mcp_servers", serverName];

function addToToml(text: string | undefined, { words }: OwnProgram): string {
  const [command, ...args] = [...words, "mcp"];
  // A JSON string is a TOML string as well.
  const lines = [
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
  ];
  const present = text === undefined ? undefined : findToml(parseToml(text), ...table);
  if (
    text !== undefined &&
    present !== undefined &&
    wordsOf(present).join("\n") === [command, ...args].join("\n")
  )
    return text;
  if (present === undefined) {
    checkRoom(text ?? "");
    return putTable(text, table, lines);
  }
  if (isServerCommand(wordsOf(present))) return putTable(text, table, lines);
  throw problemAt(
    text ?? "",
    placeOf(text ?? "", table),
    `another server is already named "${serverName}"`,
    renameHint,
  );
}

function removeFromToml(text: string): string | undefined {
  const present = findToml(parseToml(text), ...table);
  return present !== undefined && isServerCommand(wordsOf(present)) ? cutTable(text, table) : text;
}

/** Throws where no table of ours can follow: the servers are a list, or one value in braces. */
function checkRoom(text: string): void {
  const [parent = ""] = table;
  const servers = findToml(parseToml(text), parent);
  if (servers === undefined) return;
  const form = Array.isArray(servers)
    ? "is a list"
    : isTable(servers)
      ? "is one value in braces"
      : "is no table";
  const isRoom = isTable(servers) && canFollow(text, `[${table.join(".")}]`);
  if (!isRoom)
    throw problemAt(
      text,
      placeOf(text, [parent]),
      `${parent} ${form}, so no [${table.join(".")}] can be added`,
      `write it as tables, [${parent}.NAME], and run ralph setup again; nothing was changed`,
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
