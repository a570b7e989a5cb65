import { isDeepStrictEqual } from "node:util";
import type { Part } from "../agents/agent-setup.js";
import { insertItem, removeItem } from "../jsonc/edit-jsonc.js";
import { hasComments } from "../jsonc/has-comments.js";
import { findMember, isBlank, parseJsonc, plainValue } from "../jsonc/parse-jsonc.js";
import { isOwnServerCommand, isServerCommand } from "../programs/own-program.js";
import type { PartEditor } from "./part-editor.js";
import { addToToml, hasApprovals, isInToml, isOffInToml, removeFromToml } from "./server-in-toml.js";
import { nameIsTaken, serverName } from "./server-name.js";

type JsonFormat = "mcpServers" | "opencode";

/** The server of tools in an agent's settings. One that the user wrote in another way than setup does stays as it is. */
export const serverEditor: PartEditor<"mcp"> = {
  add(text, { format }, { program }) {
    const words = [...program.words, "mcp"];
    if (format === "codex-toml") return addToToml(text, words);
    const present = text === undefined ? undefined : findServer(text, format);
    const key = keyOf(format);
    const value = entryOf(words, format);
    if (text === undefined || present === undefined) return insertItem(text, [key], serverName, value);
    if (!isServerCommand(present.words)) throw nameIsTaken(text, present.offset);
    const isOlder = present.isOwn && present.words.join("\n") !== words.join("\n");
    return isOlder ? insertItem(removeItem(text, [key, serverName]), [key], serverName, value) : text;
  },
  remove(text, { format }) {
    if (format === "codex-toml") return removeFromToml(text);
    return findServer(text, format)?.isOwn ? removeItem(text, [keyOf(format), serverName]) : text;
  },
  has(text, { format }) {
    if (format === "codex-toml") return isInToml(text);
    return isServerCommand(findServer(text, format)?.words ?? []);
  },
};

/** Whether something that the user allowed the server goes with its entry. */
export function hasServerApprovals(text: string, { format }: Part & { kind: "mcp" }): boolean {
  return format === "codex-toml" && hasApprovals(text);
}

/** Whether the entry itself says that the server is not to be started. */
export function isServerOff(text: string, { format }: Part & { kind: "mcp" }): boolean {
  return (format === "codex-toml" ? isOffInToml(text) : findServer(text, format)?.isOff) ?? false;
}

function keyOf(format: JsonFormat): string {
  return format === "opencode" ? "mcp" : "mcpServers";
}

/** Opencode has one list of words, the others a program and its arguments. */
function entryOf(words: readonly string[], format: JsonFormat): unknown {
  const [command = "", ...args] = words;
  return format === "opencode" ? { type: "local", command: words, enabled: true } : { command, args };
}

interface Entry {
  command?: unknown;
  args?: unknown;
  enabled?: unknown;
}

interface FoundServer {
  words: string[];
  offset: number;
  /** It is written as setup writes it, for whatever place of the program. */
  isOwn: boolean;
  isOff: boolean;
}

function findServer(text: string, format: JsonFormat): FoundServer | undefined {
  if (isBlank(text)) return undefined;
  const member = findMember(findMember(parseJsonc(text), keyOf(format))?.value, serverName);
  if (member === undefined) return undefined;
  const value = plainValue(member.value) as Entry | null;
  const words = [value?.command, value?.args].flat().filter((word) => typeof word === "string");
  const isPlain =
    isDeepStrictEqual(value, entryOf(words, format)) && !hasComments(text.slice(member.start, member.end));
  const isOwn = isOwnServerCommand(words) && isPlain;
  return { words, offset: member.start, isOwn, isOff: value?.enabled === false };
}
