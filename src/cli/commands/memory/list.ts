import { defineCommand } from "../../framework/command.js";
import { asType, globalOption, originOf, ownerOf, typeOption } from "../../options/note-options.js";
import { renderNotes } from "../../output/notes.js";

export const listCommand = defineCommand({
  summary: "list memories, newest first",
  arguments: [],
  options: {
    type: typeOption,
    last: { kind: "number", placeholder: "N", summary: "only the newest N" },
    global: globalOption,
  },
  formats: ["table", "json", "markdown", "quiet"],
  examples: [
    "ralph memory list",
    "ralph memory list --type decision --last 5",
    "ralph memory list --format json",
  ],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const type = asType(options.type);
    const notes = await memory.notes.list({ ...(type && { types: [type] }), limit: options.last });
    terminal.out(renderNotes(notes, originOf(options), format, terminal));
    if (notes.length === 0 && format === "table") {
      const isNarrowed = options.type !== undefined || options.last !== undefined;
      const advice = 'No memories yet; store one with: ralph memory add "<what to remember>"';
      terminal.talk(isNarrowed ? "No memories to show\n" : `${advice}\n`);
    }
    return 0;
  },
});
