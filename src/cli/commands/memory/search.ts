import { defineCommand } from "../../framework/command.js";
import {
  asType,
  globalOption,
  originOf,
  ownerOf,
  tagsOption,
  typeOption,
} from "../../options/note-options.js";
import { renderNotes } from "../../output/notes.js";

const defaultLimit = 10;

export const searchCommand = defineCommand({
  summary: "search memories",
  description:
    "Matches any of the words in content or tags, best match first. Identifiers match as a whole and by their parts.\n" +
    "Without a query, the newest memories are shown.",
  arguments: [{ name: "query", summary: "a question or some words", isOptional: true }],
  options: {
    type: typeOption,
    tags: tagsOption,
    limit: {
      kind: "number",
      placeholder: "N",
      summary: `maximum number of results [default: ${defaultLimit}]`,
    },
    all: { kind: "flag", summary: "show all results" },
    global: globalOption,
  },
  formats: ["table", "json", "markdown", "quiet"],
  examples: [
    'ralph memory search "how do we start the database"',
    "ralph memory search --type fix --tags docker",
    "ralph memory search --format json",
  ],
  async run({ arguments: [text = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const type = asType(options.type);
    const selection = {
      ...(type && { types: [type] }),
      tags: options.tags,
      limit: options.all ? -1 : (options.limit ?? defaultLimit),
    };
    const notes =
      text.trim() === ""
        ? await memory.notes.list(selection)
        : await memory.notes.search({ text, ...selection });
    terminal.out(renderNotes(notes, originOf(options), format, terminal));
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
