import { type Environment, homeFolder } from "../../../domain/environment.js";
import type { Surroundings } from "../../../interop/layout.js";
import type { Memory } from "../../../memory/memory.js";

/** Where data of other tools may be. */
export function surroundingsOf({ project }: Memory, environment: Environment): Surroundings {
  return { root: project.root, home: homeFolder(environment), environment };
}
