import { messageOf } from "../../domain/message-of.js";
import { readFileSnapshot } from "../../files/read-file.js";
import {
  type AgentName,
  type AgentSetup,
  agentNames,
  type Part,
  type Places,
  type Scope,
} from "../agents/agent-setup.js";
import { agentSetups } from "../agents/agent-setups.js";
import { findInstalledPlugin } from "../agents/find-plugin.js";
import { findHooks } from "../plan/hooks-editor.js";
import { isCurrent, isPresent, materialFor, textOf } from "../plan/plan-setup.js";
import { shortPath } from "../plan/short-path.js";
import type { OwnProgram } from "../programs/own-program.js";
import { codexDoubts } from "./codex-trust.js";
import { geminiDoubts } from "./gemini-trust.js";

/** What is written for an agent in one file. */
export interface PartState {
  part: Part["kind"];
  scope: Scope;
  path: string;
  /** `older` if it is ours, but not as this version writes it; `unreadable` if the file cannot be understood. */
  state: "current" | "older" | "unreadable";
  detail?: string;
}

export interface AgentState {
  agent: AgentName;
  title: string;
  parts: PartState[];
  /** The file that says that a plugin is installed. */
  plugin: string | undefined;
  /** Why what is written may not be obeyed, and what the user can do about it. */
  doubts: string[];
  /** Command lines of hooks for the start of a session. */
  startHooks: string[];
}

/** What is connected, in the project and for all projects of the user, by reading files alone. */
export function examineAgents(
  names: readonly AgentName[],
  places: Places,
  program: OwnProgram,
): AgentState[] {
  return names.map((name) => examine(agentSetups[name], places, program));
}

/** The agents that something is connected to. */
export function connectedAgents(places: Places, program: OwnProgram): AgentState[] {
  return examineAgents(agentNames, places, program).filter(isConnected);
}

/** The skill alone connects nothing: several agents share it. */
export function isConnected({ parts, plugin }: AgentState): boolean {
  return plugin !== undefined || parts.some(({ part }) => part !== "skill");
}

function examine(agent: AgentSetup, places: Places, program: OwnProgram): AgentState {
  const parts: PartState[] = [];
  const startHooks: string[] = [];
  const doubts: string[] = [];
  const material = materialFor(agent.name, program);
  const seen = new Set<string>();
  for (const scope of ["project", "user"] as const) {
    for (const part of agent.parts(scope, places)) {
      // In the home itself both are the same file.
      if (seen.has(`${part.kind} ${part.path}`)) continue;
      seen.add(`${part.kind} ${part.path}`);
      const known = { part: part.kind, scope, path: part.path };
      try {
        const { bytes } = readFileSnapshot(part.path);
        if (bytes === undefined) continue;
        const text = textOf(part.path, bytes);
        if (!isPresent(text, part, material)) continue;
        parts.push({ ...known, state: isCurrent(text, part, material) ? "current" : "older" });
        if (part.kind !== "hooks") continue;
        const hooks = findHooks(text, agent.name);
        startHooks.push(
          ...hooks.filter(({ event }) => event === "SessionStart").map(({ command }) => command),
        );
        if (agent.name === "codex") doubts.push(...codexDoubts({ hooks, path: part.path, scope, places }));
        if (agent.name === "gemini" && scope === "project") doubts.push(...geminiDoubts(places));
      } catch (error) {
        parts.push({ ...known, state: "unreadable", detail: messageOf(error) });
      }
    }
  }
  const plugin = findInstalledPlugin(agent, places);
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
    doubts,
    startHooks: [...new Set(startHooks)],
  };
}
