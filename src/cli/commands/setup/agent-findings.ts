import type { Environment } from "../../../domain/environment.js";
import type { HealthCheck } from "../../../memory/health/check-health.js";
import type { Memory } from "../../../memory/memory.js";
import { type AgentState, connectedAgents } from "../../../setup/check/check-agents.js";
import { otherRalph } from "../../../setup/programs/own-program.js";
import { noProject } from "./no-project.js";
import { partTitles } from "./part-titles.js";
import { placesOf } from "./places-of.js";

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
