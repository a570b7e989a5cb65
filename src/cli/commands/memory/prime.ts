import { defineCommand } from "../../framework/command.js";
import { sinceOf, sinceOption } from "../../options/list-options.js";
import {
  asTypes,
  globalOption,
  originOf,
  ownerOf,
  tagsOption,
  typesOption,
} from "../../options/note-options.js";
import { renderNotes } from "../../output/notes.js";

export const primeCommand = defineCommand({
  summary: "print memories for a prompt",
  description:
    "Prints the project's memories and your global ones as Markdown for a prompt. With a budget, only whole memories are\n" +
    "printed, newest first, every section gets its share, and the last line says how many were left out. Without --budget\n" +
    "everything is printed: the settings under memories: only affect prompts that Ralph builds itself.",
  arguments: [],
  options: {
    budget: { kind: "number", placeholder: "TOKENS", summary: "maximum number of tokens; 0 means no limit" },
    type: typesOption,
    tags: tagsOption,
    recent: {
      kind: "number",
      placeholder: "DAYS",
      summary: "only memories from the last DAYS days; 0 means all",
    },
    since: { ...sinceOption, summary: "only memories since then: 24h, 30d or 2026-01-31" },
    fence: {
      kind: "flag",
      summary: "mark the memories as data, so that a prompt's reader does not take them for instructions",
    },
    global: { ...globalOption, summary: "only your global memories" },
  },
  formats: ["markdown", "json", "table"],
  isLong: true,
  examples: [
    "ralph memory prime",
    "ralph memory prime --budget 2000 --fence",
    "ralph memory prime --type fix,pattern",
    "ralph memory prime --recent 30",
  ],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const prime = {
      budgetTokens: options.budget,
      types: asTypes(options.type),
      tags: options.tags,
      recentDays: options.recent,
      since: sinceOf(options),
      isFenced: options.fence,
    };
    if (format !== "markdown") {
      const { notes, leftOut } = await memory.notes.prime(prime);
      terminal.out(renderNotes(notes, originOf(options), format, terminal));
      tellLeftOut(leftOut);
      return 0;
    }
    const { leftOut } = await memory.notes.primeInto(
      (piece) => terminal.out(typeof piece === "string" ? Buffer.from(piece) : piece),
      prime,
    );
    tellLeftOut(leftOut);
    return 0;

    function tellLeftOut(count: number): void {
      if (count > 0) terminal.talk(`${count} more left out to stay within ${options.budget} tokens\n`);
    }
  },
});
