import type { Environment } from "../../../domain/environment.js";
import type { HealthCheck } from "../../../memory/health/check-health.js";
import { type AgentState, connectedAgents } from "../../../setup/check/check-agents.js";
import { partTitles } from "./part-titles.js";
import { placesOf } from "./places-of.js";

/** A finding for each connected agent, for `ralph doctor`. */
export function agentFindings(root: string, environment: Environment): Omit<HealthCheck, "part">[] {
  const { places, program } = placesOf(root, environment);
  return connectedAgents(places, program).map((state) => {
    const problems = problemsOf(state);
    const detail = `${state.title}: ${problems.length === 0 ? connectionsOf(state) : problems.join("; ")}`;
    return { status: problems.length === 0 ? "ok" : "warning", detail };
  });
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
