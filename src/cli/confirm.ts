import { RalphError } from "../domain/ralph-error.js";
import type { Terminal } from "./output/terminal.js";

/** Asks a person; where nobody can answer, the command has to be told with --yes. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  const { isatty } = await import("node:tty");
  if (!isatty(0) || !terminal.isTalkWatched) {
    throw new RalphError("wrong-use", "There is nobody to ask", { hint: "say yes beforehand with --yes" });
  }
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}
