import { RalphError } from "../../domain/ralph-error.js";
import { wrongUse } from "../framework/command.js";
import type { Terminal } from "../output/terminal/terminal.js";

/** Resolves to the answer, or to undefined when the input is closed; Ctrl-C is no answer, it ends the command. */
export type Ask = (question: string) => Promise<string | undefined>;

export async function canPrompt(terminal: Terminal): Promise<boolean> {
  const { isatty } = await import("node:tty");
  return isatty(0) && terminal.isTalkWatched;
}

export async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve, reject) => {
    reader.once("close", () => resolve(undefined));
    reader.once("SIGINT", () => {
      process.stderr.write("\n");
      reject(new RalphError("interrupted", "Interrupted: nothing more was changed"));
    });
  });
  try {
    return await Promise.race([reader.question(question).catch(() => undefined), ended]);
  } finally {
    reader.close();
  }
}

/** Asks a yes/no question; without a terminal, --yes is required. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  if (!(await canPrompt(terminal))) throw wrongUse("Cannot prompt: not a terminal", "use --yes to confirm");
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `))?.trim() ?? "");
}
