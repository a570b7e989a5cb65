import { RalphError } from "../../domain/ralph-error.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { ask, canPrompt } from "./ask.js";

/** Asks a yes/no question; without a terminal, --yes is required. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  if (!(await canPrompt(terminal))) {
    throw new RalphError("wrong-use", "Cannot prompt: not a terminal", { hint: "use --yes to confirm" });
  }
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `))?.trim() ?? "");
}
