import type { Layout, Surroundings } from "../../../interop/layout.js";
import { ask, canPrompt } from "../../input/ask.js";
import { pickSections } from "../../input/pick-sections.js";
import type { Terminal } from "../../output/terminal/terminal.js";

/** On a terminal, which sections to import, if the layout has some; undefined for none at all. */
export async function askForSections(
  { sections }: Layout,
  path: string,
  surroundings: Surroundings,
  terminal: Terminal,
): Promise<string[] | undefined> {
  if (sections === undefined || !(await canPrompt(terminal))) return [];
  const found = sections(path, { surroundings, force: false });
  return pickSections(found, terminal, ask);
}
