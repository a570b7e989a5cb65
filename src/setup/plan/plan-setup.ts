import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import type { FileStamp } from "../../files/file-stamp.js";
import { checkInside } from "../../files/path-inside.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { readRegularFile } from "../../files/read-regular-file.js";
import { type AgentName, agentNames, type Part, type Places, type Scope } from "../agents/agent-setup.js";
import { agentSetups } from "../agents/agent-setups.js";
import { agentsBlock } from "../agents/agents-block.js";
import { findInstalledPlugin } from "../agents/find-plugin.js";
import { withFileName } from "../problem-at.js";
import { type OwnProgram, packageFolder } from "../programs/own-program.js";
import { blockEditor, pluginEditor, skillEditor } from "./file-editors.js";
import { hooksEditor } from "./hooks-editor.js";
import type { Material, PartEditor } from "./part-editor.js";
import { serverEditor } from "./server-editor.js";
import { shortPath } from "./short-path.js";

export interface SetupRequest {
  agents: readonly AgentName[];
  scope: Scope;
  action: "add" | "remove";
  places: Places;
  program: OwnProgram;
}

/** A file as it is and as it is to be; undefined stands for no file. */
export interface FileChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
  stamp: FileStamp;
}

export interface SetupPlan {
  changes: FileChange[];
  /** What is left as it is, and why. */
  notes: string[];
}

const editors: { [Kind in Part["kind"]]: PartEditor<Kind> } = {
  hooks: hooksEditor,
  mcp: serverEditor,
  skill: skillEditor,
  plugin: pluginEditor,
  block: blockEditor,
};

const partNames: Record<Part["kind"], string> = {
  hooks: "hooks are",
  mcp: "the MCP server is",
  skill: "the skill is",
  plugin: "the plugin is",
  block: "the block is",
};

/** What has to be written; throws before anything is written if a file cannot be read or understood. */
export function planSetup({ agents, scope, action, places, program }: SetupRequest): SetupPlan {
  const files = new Map<string, FileChange>();
  const notes: string[] = [];
  const short = (path: string) => shortPath(path, places);
  const open = (path: string): FileChange => {
    const known = files.get(path);
    if (known !== undefined) return known;
    if (scope === "project") checkInside(places.root, path);
    const { bytes, stamp } = readFileSnapshot(path);
    const before = bytes === undefined ? undefined : textOf(path, bytes);
    const file = { path, before, after: before, stamp };
    files.set(path, file);
    return file;
  };
  for (const name of agents) {
    const agent = agentSetups[name];
    const material = materialFor(name, program);
    const parts = agent.parts(scope, places);
    // What was added last is taken out first.
    if (action === "remove") parts.reverse();
    const plugin = action === "add" ? findInstalledPlugin(agent, places) : undefined;
    if (plugin !== undefined)
      notes.push(
        `${agent.title}: the plugin is installed (${short(plugin)}), so nothing is registered twice`,
      );
    for (const part of parts) {
      const file = open(part.path);
      const elsewhere =
        action === "add" && scope === "project" ? sameElsewhere(part, name, places, material) : undefined;
      const isHere = file.after !== undefined && isPresent(file.after, part, material);
      if (elsewhere !== undefined && !isHere && part.kind !== "block") {
        notes.push(`${agent.title}: ${partNames[part.kind]} already in ${short(elsewhere)}`);
        continue;
      }
      if (action === "add" && plugin === undefined)
        file.after = withFileName(part.path, () => addPart(file.after, part, material));
      else if (file.after !== undefined && !isNeeded(part, agents, scope, places, program)) {
        const { after } = file;
        file.after = withFileName(part.path, () => removePart(after, part, material));
        if (file.after === after && part.kind === "skill" && action === "remove")
          notes.push(`${short(part.path)} was changed by somebody, and stays`);
      }
    }
  }
  const changes = [...files.values()].filter(({ before, after }) => before !== after);
  return { changes, notes };
}

/** Whether a part of ours is in a text. */
export function isPresent(text: string, part: Part, material: Material): boolean {
  return withFileName(part.path, () => removePart(text, part, material)) !== text;
}

/** Whether the part is there as this version writes it. */
export function isCurrent(text: string, part: Part, material: Material): boolean {
  return (
    isPresent(text, part, material) && withFileName(part.path, () => addPart(text, part, material)) === text
  );
}

function addPart<Kind extends Part["kind"]>(
  text: string | undefined,
  part: Part & { kind: Kind },
  material: Material,
): string {
  return (editors[part.kind] as PartEditor).add(text, part, material);
}

function removePart(text: string, part: Part, material: Material): string | undefined {
  return (editors[part.kind] as PartEditor).remove(text, part, material);
}

/** The user's file that already holds the part for all projects. */
function sameElsewhere(part: Part, name: AgentName, places: Places, material: Material): string | undefined {
  const own = agentSetups[name].parts("user", places).find(({ kind }) => kind === part.kind);
  if (own === undefined || own.path === part.path) return undefined;
  try {
    return isPresent(readRegularFile(own.path).toString("utf8"), own, material) ? own.path : undefined;
  } catch {
    // What cannot be read holds nothing that an agent reads.
    return undefined;
  }
}

/** The skill is shared: it stays as long as another agent that reads it is connected. */
function isNeeded(
  part: Part,
  leaving: readonly AgentName[],
  scope: Scope,
  places: Places,
  program: OwnProgram,
): boolean {
  if (part.kind !== "skill") return false;
  return agentNames.some((name) => {
    if (leaving.includes(name)) return false;
    const parts = agentSetups[name].parts(scope, places);
    if (!parts.some(({ path }) => path === part.path)) return false;
    return parts.some((other) => {
      if (other.kind === "skill") return false;
      const { bytes } = readFileSnapshot(other.path);
      return bytes !== undefined && isPresent(textOf(other.path, bytes), other, materialFor(name, program));
    });
  });
}

/** Texts come from the package; the same files are in its plugins. */
export function materialFor(agent: AgentName, program: OwnProgram): Material {
  const plugins = join(packageFolder(program.file), "plugins");
  const read = (path: string) => readRegularFile(join(plugins, path)).toString("utf8");
  return {
    ...{ agent, program },
    get skill() {
      return read("skill/ralph-memory/SKILL.md");
    },
    get opencodePlugin() {
      return read("opencode/ralph.js");
    },
    block: agentsBlock,
  };
}

/** A file that is not UTF-8 could not be written back as it was. */
export function textOf(path: string, bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (Buffer.from(text).equals(bytes)) return text;
  throw new RalphError("file-unusable", `${path} is not UTF-8`, { hint: "correct it; nothing was changed" });
}
