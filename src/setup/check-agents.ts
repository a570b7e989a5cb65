import { messageOf } from "../domain/ralph-error.js";
import {
  type AgentName,
  type AgentSetup,
  agentNames,
  agentSetups,
  type Part,
  type Places,
  type Scope,
} from "./agent-files.js";
import { isPresent, materialFor, stateOf } from "./edit-parts.js";
import { readText, shortPath } from "./file-changes.js";
import { findInstalledPlugin, findOwnServer, missingForPlugin } from "./find-agents.js";
import { findHooks } from "./hooks-editor.js";
import { hookCommand, type OwnProgram } from "./own-program.js";
import { isServerOff } from "./server-editor.js";
import { claudeDoubts, codexDoubts, geminiDoubts, geminiServerDoubts, hooksOff } from "./why-not-active.js";

/** An agent's part in one file. */
export interface PartState {
  part: Part["kind"];
  scope: Scope;
  path: string;
  /** `unreadable` if the file cannot be understood. */
  state: ReturnType<typeof stateOf> | "unreadable";
  detail?: string;
}

export interface AgentState {
  agent: AgentName;
  title: string;
  parts: PartState[];
  /** The file that records an installed plugin. */
  plugin: string | undefined;
  /** Why the agent may not obey the settings, and what the user can do about it. */
  doubts: string[];
  /** Command lines of hooks for the start of a session. */
  startHooks: string[];
}

/** What is connected in the project and for all projects of the user, read from files only. */
export function examineAgents(
  names: readonly AgentName[],
  places: Places,
  program: OwnProgram,
): AgentState[] {
  return names.map((name) => examine(agentSetups[name], places, program));
}

/** The agents with at least one connected part. */
export function connectedAgents(places: Places, program: OwnProgram): AgentState[] {
  return examineAgents(agentNames, places, program).filter(isConnected);
}

/** The skill alone connects nothing: several agents share it. */
export function isConnected({ parts, plugin }: AgentState): boolean {
  return plugin !== undefined || parts.some(({ part }) => part !== "skill");
}

/** A part that was found, for checks against the agent's own trust. */
interface FoundPart {
  part: Part;
  scope: Scope;
  text: string;
  places: Places;
}

const doubtsOf: Partial<Record<AgentName, (found: FoundPart) => string[]>> = {
  claude: ({ part, scope, places }) =>
    part.kind === "mcp" && scope === "project" ? claudeDoubts(places) : [],
  codex: ({ part, scope, text, places }) =>
    part.kind === "hooks"
      ? codexDoubts({ hooks: findHooks(text, "codex"), path: part.path, scope, places })
      : [],
  gemini: ({ part, scope, places }) => {
    if (part.kind === "mcp") return geminiServerDoubts(places);
    return part.kind === "hooks" && scope === "project" ? geminiDoubts(places) : [];
  },
};

function startHooksIn(text: string, agent: AgentName): string[] {
  return findHooks(text, agent).flatMap(({ event, command }) => (event === "SessionStart" ? [command] : []));
}

function examine(agent: AgentSetup, places: Places, program: OwnProgram): AgentState {
  const parts: PartState[] = [];
  const startHooks: string[] = [];
  const doubts: string[] = [];
  const material = materialFor(agent.name, program);
  const seen = new Set<string>();
  for (const scope of ["project", "user"] as const) {
    for (const part of agent.parts(scope, places)) {
      // In the home folder, both scopes use the same file.
      if (seen.has(`${part.kind} ${part.path}`)) continue;
      seen.add(`${part.kind} ${part.path}`);
      const known = { part: part.kind, scope, path: part.path };
      try {
        const { text } = readText(part.path);
        if (text === undefined || !isPresent(text, part, material)) continue;
        const state = stateOf(text, part, material);
        parts.push({ ...known, state });
        doubts.push(...(doubtsOf[agent.name]?.({ part, scope, text, places }) ?? []));
        if (part.kind === "mcp" && isServerOff(text, part))
          doubts.push(
            `${agent.title} does not start the server: enabled is false in ${shortPath(part.path, places)}`,
          );
        if (part.kind === "hooks") startHooks.push(...startHooksIn(text, agent.name));
        // A plugin of this version runs nothing else.
        else if (part.kind === "plugin" && state === "current")
          startHooks.push(hookCommand(program, agent.name, "SessionStart"));
      } catch (error) {
        parts.push({ ...known, state: "unreadable", detail: messageOf(error) });
      }
    }
  }
  const own = findOwnServer(agent, places);
  const server = parts.find(({ part, scope }) => part === "mcp" && scope === "project");
  if (own !== undefined && server !== undefined)
    doubts.push(
      `the MCP server is registered twice: in ${shortPath(server.path, places)} and, by ${agent.programs[0]} mcp add, in ` +
        `${shortPath(own, places)}; ${agent.programs[0]} mcp remove ralph takes out the latter`,
    );
  else if (own !== undefined) parts.push({ part: "mcp", scope: "user", path: own, state: "current" });
  const plugin = findInstalledPlugin(agent, places);
  if (plugin !== undefined) doubts.push(...missingForPlugin(places));
  const off = hooksOff(agent.name, places);
  if (off !== undefined && (plugin !== undefined || parts.some(({ part }) => part === "hooks"))) {
    doubts.push(off);
    // Running them would suggest that they work.
    startHooks.length = 0;
  }
  const hookFiles = parts.filter(({ part, state }) => part === "hooks" && state !== "unreadable");
  if (plugin !== undefined && hookFiles.length > 0)
    doubts.push(
      `hooks are registered twice: by the plugin (${shortPath(plugin, places)}) and in ` +
        `${hookFiles.map(({ path }) => shortPath(path, places)).join(", ")}; ralph setup ${agent.name} --remove takes out the latter`,
    );
  else if (hookFiles.length > 1)
    doubts.push(
      `hooks are registered twice: in ${hookFiles.map(({ path }) => shortPath(path, places)).join(" and ")}; ` +
        `ralph setup ${agent.name} --remove takes out those of the project`,
    );
  return {
    agent: agent.name,
    title: agent.title,
    parts,
    plugin,
    doubts: [...new Set(doubts)],
    startHooks: [...new Set(startHooks)],
  };
}
