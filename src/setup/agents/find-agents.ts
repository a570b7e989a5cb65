import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../agents/find-program.js";
import { type AgentName, agentNames, type Places } from "./agent-setup.js";
import { agentSetups } from "./agent-setups.js";

/** The agents whose program is on the PATH, or whose folder is in the project or in the user's home. */
export function findAgents({ root, home, environment }: Places): AgentName[] {
  return agentNames.filter((name) => {
    const { programs, folders } = agentSetups[name];
    const hasProgram = programs.some(
      (program) => findProgram(program, { folder: root, searchPath: environment.PATH }) !== undefined,
    );
    return (
      hasProgram || folders.some((folder) => [root, home].some((base) => existsSync(join(base, folder))))
    );
  });
}
