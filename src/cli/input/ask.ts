import type { Terminal } from "../output/terminal/terminal.js";

/** Puts a question and gives the answer; nothing when the person ends the conversation. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Whether a person can be asked. */
export async function isSomebodyThere(terminal: Terminal): Promise<boolean> {
  const { isatty } = await import("node:tty");
  return isatty(0) && terminal.isTalkWatched;
}

/** Asks on the terminal, one question at a time. */
export async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => {
    reader.once("close", () => resolve(undefined));
  });
  try {
    return await Promise.race([reader.question(question).catch(() => undefined), ended]);
  } finally {
    reader.close();
  }
}
