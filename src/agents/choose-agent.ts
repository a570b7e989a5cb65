import type { Settings } from "../config/default-settings.js";
import { RalphError } from "../domain/ralph-error.js";
import { suggest } from "../text/nearest.js";
import { type AgentDefinition, listAgents } from "./agent-definition.js";
import { findProgram } from "./find-program.js";

export interface AgentPlace {
  /** Where the agent is to run; programs given as paths are found from here. */
  folder: string;
  /** The environment's PATH. */
  searchPath: string | undefined;
}

/** An agent that is there, with its program as a full path: the one that is named, else the first of all that is installed. */
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
    throw new RalphError("wrong-use", `There is no agent "${wanted}"`, {
      hint: suggest(
        wanted,
        agents.map((each) => each.name),
      ),
    });
  }
  const program = findProgram(agent.program, place);
  if (program === undefined) {
    throw new RalphError("program-unusable", `The agent ${agent.name} is not there: ${agent.program}`, {
      hint: agent.installHint ?? `set its program below "agents:" in ralph.yml`,
    });
  }
  return { ...agent, program };
}

/** Those that settings add come first: who describes an agent means to use it. */
function chooseInstalled(agents: readonly AgentDefinition[], place: AgentPlace): AgentDefinition {
  const isOwn = ({ installHint }: AgentDefinition) => installHint === undefined;
  for (const agent of [...agents.filter(isOwn), ...agents.filter((each) => !isOwn(each))]) {
    const program = findProgram(agent.program, place);
    if (program !== undefined) return { ...agent, program };
  }
  throw new RalphError("program-unusable", "No agent is installed", {
    hint:
      `install one of ${agents.map(({ name }) => name).join(", ")}, or describe your own in ralph.yml: ` +
      "agents: { mine: { program: ./agent.sh } }",
  });
}
