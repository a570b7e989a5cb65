import type { Terminal } from "../output/terminal/terminal.js";

/** Resolves to the answer, or to undefined when the input is closed. */
export type Ask = (question: string) => Promise<string | undefined>;

export async function canPrompt(terminal: Terminal): Promise<boolean> {
  const { isatty } = await import("node:tty");
  return isatty(0) && terminal.isTalkWatched;
}

export async function ask(
  question: string,
  terminal: Pick<Terminal, "settled">,
): Promise<string | undefined> {
  // What is asked about may still wait to be written.
  await terminal.settled();
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
