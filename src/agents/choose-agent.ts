import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Settings } from "../config/default-settings.js";
import { RalphError } from "../domain/ralph-error.js";
import { unknownAgent } from "../domain/tasks/agent.js";
import { type AgentDefinition, listAgents } from "./agent-definition.js";
import { findProgram } from "./find-program.js";

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
  if (agent === undefined) throw unknownAgent(wanted, settings.agents);
  const program = findProgram(agent.program, place);
  if (program === undefined) throw notInstalled(agent, place);
  return { ...agent, program };
}

function notInstalled({ name, program, installHint }: AgentDefinition, { folder }: AgentPlace): RalphError {
  const file = program.includes("/")
    ? statSync(resolve(folder, program), { throwIfNoEntry: false })
    : undefined;
  const unusable = (message: string, hint: string) => new RalphError("program-unusable", message, { hint });
  if (file?.isFile())
    return unusable(`Agent ${name} cannot run: ${program} is not executable`, `run "chmod +x ${program}"`);
  if (file !== undefined)
    return unusable(`Agent ${name} cannot run: ${program} is not a file`, "name the program in it");
  return unusable(
    `Agent ${name} is not installed: ${program} was not found`,
    installHint ?? `set its program under "agents:" in ralph.yml`,
  );
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
