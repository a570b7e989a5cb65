import { type Environment, homeFolder } from "../../../domain/environment.js";
import type { Places } from "../../../setup/agents/agent-setup.js";
import { findOwnProgram, type OwnProgram } from "../../../setup/programs/own-program.js";

/** Where agents look for their files, and how they start this program. */
export function placesOf(root: string, environment: Environment): { places: Places; program: OwnProgram } {
  const program = findOwnProgram({
    ...{ file: process.argv[1] ?? "", node: process.execPath },
    ...{ folder: root, environment },
  });
  return { places: { root, home: homeFolder(environment), environment }, program };
}
