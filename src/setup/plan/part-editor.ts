import type { AgentName, Part } from "../agents/agent-setup.js";
import type { OwnProgram } from "../programs/own-program.js";

/** What the texts of an agent's files are made of. */
export interface Material {
  agent: AgentName;
  program: OwnProgram;
  skill: string;
  opencodePlugin: string;
  block: string;
}

/** Texts with and without a part; undefined stands for no file. All that is not ours stays as it is. */
export interface PartEditor<Kind extends Part["kind"] = Part["kind"]> {
  add(text: string | undefined, part: Part & { kind: Kind }, material: Material): string;
  /** Takes out what `add` puts in; what somebody wrote or changed by hand stays. */
  remove(text: string, part: Part & { kind: Kind }, material: Material): string | undefined;
  /** Whether the part is there, in whatever form. */
  has(text: string, part: Part & { kind: Kind }, material: Material): boolean;
}
