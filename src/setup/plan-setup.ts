import { checkInside } from "../files/path-inside.js";
import {
  type AgentName,
  type AgentSetup,
  agentNames,
  agentSetups,
  type Part,
  type Places,
  type Scope,
} from "./agent-files.js";
import { addPart, isPresent, type Material, materialFor, removePart } from "./edit-parts.js";
import { type FileChange, openFiles, readText, shortPath } from "./file-changes.js";
import { findInstalledPlugin, findOwnServer, missingForPlugin } from "./find-agents.js";
import type { OwnProgram } from "./own-program.js";
import { hasServerApprovals } from "./server-editor.js";

export interface SetupRequest {
  agents: readonly AgentName[];
  scope: Scope;
  action: "add" | "remove";
  places: Places;
  program: OwnProgram;
}

export interface SetupPlan {
  changes: FileChange[];
  /** What is left unchanged and why, and what else is removed. */
  notes: string[];
}

const whichAre: Record<Part["kind"], string> = {
  hooks: "hooks are",
  mcp: "the MCP server is",
  skill: "the skill is",
  plugin: "the plugin is",
  block: "the block is",
};

const staying: Record<Part["kind"], string> = {
  hooks: "hooks in FILE that are not as ralph setup writes them stay",
  mcp: "the MCP server in FILE is not as ralph setup writes it, and stays",
  skill: "FILE is not as ralph setup wrote it, and stays",
  plugin: "FILE is not as ralph setup wrote it, and stays",
  block: "the block in FILE stays",
};

/** What to write; throws if a file cannot be read or parsed, or must not be written. */
export function planSetup(request: SetupRequest): SetupPlan {
  const { agents, scope, action, places, program } = request;
  const short = (path: string) => shortPath(path, places);
  const notes: string[] = [];
  const { open, changes } = openFiles((path) => {
    if (scope === "project") checkInside(places.root, path);
  });
  for (const name of agents) {
    const agent = agentSetups[name];
    const { title } = agent;
    const material = materialFor(name, program);
    const remove = (part: Part) => {
      const file = open(part.path);
      if (file.after === undefined || isStillRead(part, request)) return;
      const before = file.after;
      file.after = removePart(before, part, material);
      if (part.kind === "mcp" && file.after !== before && hasServerApprovals(before, part))
        notes.push(
          `${title}: what you approved for its tools is removed with the MCP server in ${short(part.path)}`,
        );
      if (file.after !== undefined && (isWholeFile(part) || isPresent(file.after, part, material)))
        notes.push(`${title}: ${staying[part.kind].replace("FILE", short(part.path))}`);
    };
    const add = (part: Part) => {
      const file = open(part.path);
      const isHere = file.after !== undefined && isPresent(file.after, part, material);
      const elsewhere =
        scope === "project" && !isHere ? sameOfUser(part, agent, places, material) : undefined;
      if (elsewhere === undefined) file.after = addPart(file.after, part, material);
      else notes.push(`${title}: ${whichAre[part.kind]} already in ${short(elsewhere)}`);
    };
    const plugin = action === "add" ? findInstalledPlugin(agent, places) : undefined;
    if (plugin !== undefined)
      notes.push(
        `${title}: the plugin is installed (${short(plugin)}), so nothing is registered twice`,
        ...missingForPlugin(places).map((problem) => `${title}: ${problem}`),
      );
    const parts = agent.parts(scope, places);
    // What was added last is removed first.
    if (action === "remove" || plugin !== undefined) parts.reverse().forEach(remove);
    else parts.forEach(add);
  }
  return { changes: changes(), notes };
}

function isWholeFile({ kind }: Part): boolean {
  return kind === "skill" || kind === "plugin";
}

/** The user's file that already contains the part for all projects. */
function sameOfUser(part: Part, agent: AgentSetup, places: Places, material: Material): string | undefined {
  const added = part.kind === "mcp" ? findOwnServer(agent, places) : undefined;
  if (added !== undefined) return added;
  const own = agent.parts("user", places).find(({ kind }) => kind === part.kind);
  if (own === undefined || own.path === part.path) return undefined;
  try {
    const { text } = readText(own.path);
    return text !== undefined && isPresent(text, own, material) ? own.path : undefined;
  } catch {
    // An agent does not obey a file that cannot be parsed.
    return undefined;
  }
}

/** The skill is shared: it is kept as long as another connected agent reads it. */
function isStillRead(part: Part, { agents: leaving, scope, places, program }: SetupRequest): boolean {
  if (part.kind !== "skill") return false;
  return agentNames.some((name) => {
    const parts = agentSetups[name].parts(scope, places);
    if (leaving.includes(name) || !parts.some(({ path }) => path === part.path)) return false;
    return parts.some((other) => {
      const { text } = other.kind === "skill" ? {} : readText(other.path);
      return text !== undefined && isPresent(text, other, materialFor(name, program));
    });
  });
}
