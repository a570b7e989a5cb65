import { RalphError } from "../../domain/ralph-error.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { ask, isSomebodyThere } from "./ask.js";

/** Asks a person; where nobody can answer, the command has to be told with --yes. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  if (!(await isSomebodyThere(terminal))) {
    throw new RalphError("wrong-use", "There is nobody to ask", { hint: "say yes beforehand with --yes" });
  }
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `))?.trim() ?? "");
}
