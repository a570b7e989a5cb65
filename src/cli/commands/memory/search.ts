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

const shownByDefault = 10;

export const searchCommand = defineCommand({
  summary: "find memories by a question or some words",
  description:
    "Any of the words may match, in content or tags; the best match comes first. Identifiers are found whole and in\n" +
    "parts. Without a query the newest memories are shown.",
  arguments: [{ name: "query", summary: "a question or some words", isOptional: true }],
  options: {
    type: typeOption,
    tags: tagsOption,
    limit: {
      kind: "number",
      placeholder: "N",
      summary: `show at most N results [default: ${shownByDefault}]`,
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
      limit: options.all ? -1 : (options.limit ?? shownByDefault),
    };
    const notes =
      text.trim() === ""
        ? await memory.notes.list(selection)
        : await memory.notes.search({ text, ...selection });
    terminal.out(renderNotes(notes, originOf(options), format, terminal));
    if (notes.length === 0 && format === "table") {
      terminal.talk(
        options.global ? "No memories found\n" : "No memories found; --global searches your own\n",
      );
    }
    return 0;
  },
});
