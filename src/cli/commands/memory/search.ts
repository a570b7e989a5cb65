import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOptionOf, sinceOf, sinceOption } from "../../options/list-options.js";
import {
  asTypes,
  globalOption,
  originOf,
  ownerOf,
  tagsOption,
  typesOption,
} from "../../options/note-options.js";
import { cutList } from "../../output/lists/cut-list.js";
import { renderNotes } from "../../output/notes.js";

const defaultLimit = 10;

export const searchCommand = defineCommand({
  summary: "search memories",
  description:
    "Matches any of the words in content or tags, best match first. Identifiers match as a whole and by their parts.\n" +
    "Without a query, the newest memories are shown.",
  arguments: [{ name: "query", summary: "a question or some words", isOptional: true }],
  options: {
    type: typesOption,
    tags: tagsOption,
    since: { ...sinceOption, summary: "only memories since then: 24h, 30d or 2026-01-31" },
    limit: limitOptionOf(defaultLimit),
    all: allOption,
    global: globalOption,
  },
  formats: ["table", "json", "markdown", "quiet"],
  isLong: true,
  examples: [
    'ralph memory search "how do we start the database"',
    "ralph memory search --type fix --tags docker",
    "ralph memory search --format json",
  ],
  async run({ arguments: [text = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const selection = { types: asTypes(options.type), tags: options.tags, since: sinceOf(options) };
    const { items: notes, tell } = await cutList(
      limitOf(options, defaultLimit),
      (limit) =>
        text.trim() === ""
          ? memory.notes.list({ ...selection, limit })
          : memory.notes.search({ text, ...selection, limit }),
      { terminal, format },
    );
    terminal.out(renderNotes(notes, originOf(options), format, terminal));
    tell();
    if (notes.length === 0 && format === "table") {
      terminal.talk(
        options.global
          ? "No memories found\n"
          : "No memories found; use --global to search your global memories\n",
      );
    }
    return 0;
  },
});
