import type { Settings } from "../config/default-settings.js";
import { RalphError } from "../domain/ralph-error.js";
import { suggest } from "../text/nearest.js";
import { type AgentDefinition, listAgents } from "./agent-definition.js";
import { findProgram, isNotExecutable } from "./find-program.js";

export interface AgentPlace {
  /** Where the agent runs; relative paths of programs start here. */
  folder: string;
  /** The environment's PATH. */
  searchPath: string | undefined;
}

/** The named agent, or the first that is installed, with the full path of its program. */
export function chooseAgent(
  name: string | undefined,
  settings: Pick<Settings, "agents" | "run.agent">,
  place: AgentPlace,
): AgentDefinition {
  const agents = listAgents(settings);
  const wanted = name ?? settings["run.agent"];
  if (wanted === "") return chooseInstalled(agents, place);
  const agent = agents.find((each) => each.name === wanted);
  if (agent === undefined) {
    throw new RalphError("wrong-use", `Unknown agent: ${wanted}`, {
      hint: suggest(
        wanted,
        agents.map((each) => each.name),
      ),
    });
  }
  const program = findProgram(agent.program, place);
  if (program === undefined) {
    if (isNotExecutable(agent.program, place.folder))
      throw new RalphError("program-unusable", `Agent ${agent.name}: ${agent.program} is not executable`, {
        hint: `chmod +x ${agent.program}`,
      });
    throw new RalphError(
      "program-unusable",
      `Agent ${agent.name} is not installed: ${agent.program} was not found`,
      {
        hint: agent.installHint ?? `set its program under "agents:" in ralph.yml`,
      },
    );
  }
  return { ...agent, program };
}

/** Agents from settings come first: whoever defines an agent wants to use it. */
function chooseInstalled(agents: readonly AgentDefinition[], place: AgentPlace): AgentDefinition {
  const isOwn = ({ installHint }: AgentDefinition) => installHint === undefined;
  for (const agent of [...agents.filter(isOwn), ...agents.filter((each) => !isOwn(each))]) {
    const program = findProgram(agent.program, place);
    if (program !== undefined) return { ...agent, program };
  }
  throw new RalphError("program-unusable", "No agent is installed", {
    hint:
      `install one of ${agents.map(({ name }) => name).join(", ")}, or define your own in ralph.yml: ` +
      "agents: { mine: { program: ./agent.sh } }",
  });
}
