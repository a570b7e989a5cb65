import type { Environment } from "../../domain/environment.js";
import { openMemory } from "../../memory/open-memory.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { type Candidate, completeWords } from "./complete-words.js";
import { findRecordIds } from "./find-record-ids.js";

/**
 * What a shell asks while somebody types: the shell's name, then the words behind `ralph`, the last of which is being typed.
 * Prints one candidate per line. It is silent about whatever goes wrong.
 */
export async function printCompletions(
  [shell = "", ...words]: readonly string[],
  terminal: Pick<Terminal, "out">,
  environment: Environment,
): Promise<number> {
  const { found, memories } = { found: [] as Candidate[], memories: [] as { close(): Promise<void> }[] };
  try {
    const completed = await completeWords(words.map(unquoted), {
      isDescribed: shell !== "bash",
      async findIds(kind, root) {
        const memory = await openMemory({ root, environment, isShortLived: true, isForgiving: true });
        memories.push(memory);
        return findRecordIds(memory, kind);
      },
    });
    if (Array.isArray(completed)) found.push(...completed);
    else terminal.out(`:${completed}\n`);
  } catch {
    // There is nobody to tell: the person is in the middle of a line.
  }
  const lines = found.map(({ value, summary = "" }) =>
    shell === "bash" || summary === "" ? value : `${value}\t${summary}`,
  );
  terminal.out(lines.map((line) => `${line}\n`).join(""));
  for (const memory of memories) await memory.close().catch(() => undefined);
  return 0;
}

/** Shells hand over words as they were typed; the quote of the last one may still be open. */
function unquoted(word: string): string {
  const [quote = ""] = word;
  if (quote !== '"' && quote !== "'") return word.replaceAll(/\\(.)/g, "$1");
  return word.slice(1, word.length > 1 && word.endsWith(quote) ? -1 : undefined);
}
