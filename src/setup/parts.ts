import { join } from "node:path";
import { readRegularFile } from "../files/read-regular-file.js";
import type { AgentName, Part } from "./agents.js";
import { withFileName } from "./formats/text-edit.js";
import { hooksEditor } from "./hooks-editor.js";
import { type OwnProgram, packageFolder } from "./own-program.js";
import { blockEditor, pluginEditor, skillEditor } from "./owned-files.js";
import { serverEditor } from "./server-editor.js";

/** What the texts of an agent's files are made of. */
export interface Material {
  agent: AgentName;
  program: OwnProgram;
  skill: string;
  opencodePlugin: string;
}

/** Texts with and without a part; undefined stands for no file. All that is not ours stays as it is. */
export interface PartEditor<Kind extends Part["kind"] = Part["kind"]> {
  add(text: string | undefined, part: Part & { kind: Kind }, material: Material): string;
  /** Takes out what `add` puts in; what somebody wrote or changed by hand stays. */
  remove(text: string, part: Part & { kind: Kind }, material: Material): string | undefined;
  /** Whether the part is there, in whatever form. */
  has(text: string, part: Part & { kind: Kind }, material: Material): boolean;
}

const editors: { [Kind in Part["kind"]]: PartEditor<Kind> } = {
  hooks: hooksEditor,
  mcp: serverEditor,
  skill: skillEditor,
  plugin: pluginEditor,
  block: blockEditor,
};

/** All that we write has our name or that of our program in it: a file without it need not be understood. */
const mayBeOurs = /ralph|main\.cjs/;

/** The text with the part as this version writes it. */
export function addPart(text: string | undefined, part: Part, material: Material): string {
  return withFileName(part.path, () => editorOf(part).add(text, part, material));
}

/** The text without the part; undefined if there was no file before it. */
export function removePart(text: string, part: Part, material: Material): string | undefined {
  if (!mayBeOurs.test(text)) return text;
  return withFileName(part.path, () => editorOf(part).remove(text, part, material));
}

/** Whether the part is in a text, of whatever version, one that somebody wrote or changed by hand included. */
export function isPresent(text: string, part: Part, material: Material): boolean {
  return mayBeOurs.test(text) && withFileName(part.path, () => editorOf(part).has(text, part, material));
}

/** `older` if setup would bring it up to date, `kept` if it was written or changed by hand: neither setup nor --remove touches that. */
export function stateOf(text: string, part: Part, material: Material): "current" | "older" | "kept" {
  if (addPart(text, part, material) !== text) return "older";
  const rest = removePart(text, part, material);
  return rest !== undefined && isPresent(rest, part, material) ? "kept" : "current";
}

function editorOf(part: Part): PartEditor {
  return editors[part.kind] as PartEditor;
}

/** What parts are made of; longer texts are files of the package, where its plugins have them, too. */
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
