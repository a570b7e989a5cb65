import { type Environment, homeFolder } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { HealthCheck } from "../../../memory/health/check-health.js";
import type { Memory } from "../../../memory/memory.js";
import { isProject } from "../../../memory/project/open-project.js";
import { projectOf } from "../../../memory/project-of.js";
import type { Part, Places } from "../../../setup/agent-files.js";
import { type AgentState, connectedAgents } from "../../../setup/check-agents.js";
import { findOwnProgram, type OwnProgram, otherRalph } from "../../../setup/own-program.js";

/** Where agents look for their files, and how they start this program. */
export function placesOf(root: string, environment: Environment): { places: Places; program: OwnProgram } {
  const program = findOwnProgram({
    ...{ file: process.argv[1] ?? "", node: process.execPath },
    ...{ folder: root, environment },
  });
  return { places: { root, home: homeFolder(environment), environment }, program };
}

/** What is written for an agent, in a word. */
export const partTitles: Record<Part["kind"], string> = {
  hooks: "hooks",
  mcp: "MCP",
  skill: "skill",
  plugin: "plugin",
  block: "block",
};

/** What to say in a folder where hooks do nothing, however well they are connected. */
export async function noProject(memory: Memory): Promise<string[]> {
  try {
    if (await isProject(projectOf(memory))) return [];
  } catch (error) {
    // Wrong settings are told by what needs them.
    if (error instanceof RalphError) return [];
    throw error;
  }
  return [
    `hooks do nothing in ${memory.project.root}: it is no git repository, and no memory was set up in it (git init or ralph init)`,
  ];
}

/** A finding for each connected agent, for `ralph doctor`. */
export async function agentFindings(
  memory: Memory,
  environment: Environment,
): Promise<Omit<HealthCheck, "part">[]> {
  const { places, program } = placesOf(memory.project.root, environment);
  const states = connectedAgents(places, program);
  const doubts = [...(states.length === 0 ? [] : await noProject(memory)), ...otherRalph(program, places)];
  const findings = states.map((state): Omit<HealthCheck, "part"> => {
    const problems = problemsOf(state);
    const detail = `${state.title}: ${problems.length === 0 ? connectionsOf(state) : problems.join("; ")}`;
    return { status: problems.length === 0 ? "ok" : "warning", detail };
  });
  return [...findings, ...doubts.map((detail) => ({ status: "warning" as const, detail }))];
}

function connectionsOf({ parts, plugin }: AgentState): string {
  const titles = new Set(parts.map(({ part }) => partTitles[part]));
  return [...titles, ...(plugin === undefined ? [] : ["plugin"])].join(", ");
}

function problemsOf({ agent, parts, doubts }: AgentState): string[] {
  const isOlder = parts.some(({ state }) => state === "older");
  return [
    ...parts.flatMap(({ state, detail }) => (state === "unreadable" && detail !== undefined ? [detail] : [])),
    ...(isOlder ? [`written by another version, or for another place (ralph setup ${agent})`] : []),
    ...doubts,
  ];
}
