import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isNoteType, type NoteType } from "../../domain/knowledge/note.js";
import { sha256 } from "../../domain/sha256.js";
import { isObject, isText } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import type { RecordFields } from "../fields.js";
import type { Layout, Surroundings } from "../layout.js";
import { findSettings, findText } from "../read-file.js";
import { linkRecord, noteRecords } from "../records.js";
import { openSourceFile, recordsByLine } from "../source-folder.js";

const packageName = "server-memory";
const graphFiles = ["memory.jsonl", "memory.json"];

/** The knowledge graph of the reference MCP server for memory: entities with observations, and relations. */
export const serverMemoryLayout: Layout = { name: "server-memory", find: findGraphs, read: readGraph };

/** Each observation is a note about its entity, each relation a link and a note that states it. */
function* readGraph(path: string): Generator<ForeignFile> {
  const { source, file } = openSourceFile(path, graphFiles);
  yield* recordsByLine(source, file, (fields, original, line) =>
    fields.oneOf("type", ["entity", "relation"]) === "entity"
      ? entityRecords(fields, original, line)
      : relationRecords(fields, original, line),
  );
}

function entityRecords(fields: RecordFields, original: unknown, line: number): ForeignRecord[] {
  const name = fields.text("name");
  const entityType = fields.findText("entityType") ?? "";
  const about = { type: noteTypeOf(entityType), tags: [name, entityType].filter(Boolean), line };
  const observations = fields.texts("observations").filter((text) => text.trim() !== "");
  const texts = observations.map((text) =>
    text.toLowerCase().includes(name.toLowerCase()) ? text : `${name}: ${text}`,
  );
  if (texts.length === 0) texts.push(entityType === "" ? name : `${name} (${entityType})`);
  return [
    { kind: "kept", id: name, line, original },
    // The first note represents the entity in relations.
    ...texts.flatMap((text, index) => {
      const id = index === 0 ? name : `${name} ${sha256(observations[index] ?? "").slice(0, 12)}`;
      return noteRecords({ ...about, id, text });
    }),
  ];
}

function relationRecords(fields: RecordFields, original: unknown, line: number): ForeignRecord[] {
  const [from, to, word] = [fields.text("from"), fields.text("to"), fields.text("relationType")];
  const text = `${from} ${word.replaceAll("_", " ")} ${to}`;
  const note = { id: `${from} ${word} ${to}`, type: "context" as const, text, tags: [from, to], line };
  return [linkRecord({ from, word, to }, { line, original }), ...noteRecords(note)];
}

function noteTypeOf(entityType: string): NoteType {
  const word = entityType.toLowerCase();
  if (isNoteType(word)) return word;
  return /\b(?:bug|bugfix|solution)\b/.test(word) ? "fix" : "context";
}

/** The server's file is next to its package, unless a variable or a client's settings name another. */
function findGraphs({ root, home, environment }: Surroundings): string[] {
  const paths = [
    environment.MEMORY_FILE_PATH ?? "",
    ...graphFiles.map((name) => join(root, name)).filter(isGraph),
    ...clientSettings(root, home).flatMap((path) => serversIn(findSettings(path)).flatMap(fileOfServer)),
    ...inNpxCache(home),
  ];
  return unique(paths).filter((path) => isAbsolute(path) && existsSync(path));
}

function clientSettings(root: string, home: string): string[] {
  const desktop = [".config/Claude", "Library/Application Support/Claude", "AppData/Roaming/Claude"];
  return [
    ...[".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".gemini/settings.json"].map((path) =>
      join(root, path),
    ),
    ...[".claude.json", ".cursor/mcp.json", ".gemini/settings.json"].map((path) => join(home, path)),
    ...desktop.map((folder) => join(home, folder, "claude_desktop_config.json")),
  ];
}

/** The entries of all servers that run the package, at any depth. */
function serversIn(value: unknown): Record<string, unknown>[] {
  if (!isObject(value)) return [];
  const words = [value.command, value.args].flat();
  const isServer = words.some((word) => isText(word) && word.includes(packageName));
  return isServer ? [value] : Object.values(value).flatMap(serversIn);
}

function fileOfServer({ env }: Record<string, unknown>): string[] {
  const file = isObject(env) ? env.MEMORY_FILE_PATH : undefined;
  return isText(file) ? [file] : [];
}

function inNpxCache(home: string): string[] {
  const cache = join(home, ".npm", "_npx");
  const folder = join("node_modules", "@modelcontextprotocol", packageName, "dist");
  const names = existsSync(cache) ? readdirSync(cache) : [];
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
