import { join } from "node:path";
import { readRegularFile } from "../files/read-regular-file.js";
import type { AgentName, Part } from "./agent-files.js";
import { withFileName } from "./formats/text-edit.js";
import { hooksEditor } from "./hooks-editor.js";
import { type OwnProgram, packageFolder } from "./own-program.js";
import { blockEditor, pluginEditor, skillEditor } from "./owned-files.js";
import { serverEditor } from "./server-editor.js";

/** What the content of an agent's files is made from. */
export interface Material {
  agent: AgentName;
  program: OwnProgram;
  skill: string;
  opencodePlugin: string;
}

/** Adds and removes a part; undefined stands for no file. Everything that is not ours is kept. */
export interface PartEditor<Kind extends Part["kind"] = Part["kind"]> {
  add(text: string | undefined, part: Part & { kind: Kind }, material: Material): string;
  /** Removes what `add` adds; manual changes are kept. */
  remove(text: string, part: Part & { kind: Kind }, material: Material): string | undefined;
  /** Whether the text contains the part in any form. */
  has(text: string, part: Part & { kind: Kind }, material: Material): boolean;
}

const editors: { [Kind in Part["kind"]]: PartEditor<Kind> } = {
  hooks: hooksEditor,
  mcp: serverEditor,
  skill: skillEditor,
  plugin: pluginEditor,
  block: blockEditor,
};

/** Everything we write contains our name or our program's: a file without it need not be parsed. */
const mayBeOurs = /ralph|main\.cjs/;

/** The text with this version of the part. */
export function addPart(text: string | undefined, part: Part, material: Material): string {
  return withFileName(part.path, () => editorOf(part).add(text, part, material));
}

/** The text without the part; undefined if there was no file before it. */
export function removePart(text: string, part: Part, material: Material): string | undefined {
  if (!mayBeOurs.test(text)) return text;
  return withFileName(part.path, () => editorOf(part).remove(text, part, material));
}

/** Whether a text contains the part, of any version and even if written or changed by hand. */
export function isPresent(text: string, part: Part, material: Material): boolean {
  return mayBeOurs.test(text) && withFileName(part.path, () => editorOf(part).has(text, part, material));
}

/** `older` if setup would update it, `kept` if it was written or changed by hand: neither setup nor --remove touches that. */
export function stateOf(text: string, part: Part, material: Material): "current" | "older" | "kept" {
  if (addPart(text, part, material) !== text) return "older";
  const rest = removePart(text, part, material);
  return rest !== undefined && isPresent(rest, part, material) ? "kept" : "current";
}

function editorOf(part: Part): PartEditor {
  return editors[part.kind] as PartEditor;
}

/** The material of the parts; longer texts are files of the package, which its plugins share. */
export function materialFor(agent: AgentName, program: OwnProgram): Material {
  const read = (path: string) =>
    readRegularFile(join(packageFolder(program.file), "plugins", path)).toString("utf8");
  return {
    agent,
    program,
    get skill() {
      return read("skill/ralph-memory/SKILL.md");
    },
    get opencodePlugin() {
      return read("opencode/ralph.js");
    },
  };
}
