import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption, sinceOf, sinceOption } from "../../options/list-options.js";
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

export const listCommand = defineCommand({
  summary: "list memories, newest first",
  arguments: [],
  options: {
    type: typesOption,
    tags: tagsOption,
    since: { ...sinceOption, summary: "only memories since then: 24h, 30d or 2026-01-31" },
    limit: limitOption,
    all: allOption,
    global: globalOption,
  },
  formats: ["table", "json", "markdown", "quiet"],
  isLong: true,
  examples: [
    "ralph memory list",
    "ralph memory list --type decision -n 5",
    "ralph memory list --format json",
  ],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const selection = { types: asTypes(options.type), tags: options.tags, since: sinceOf(options) };
    const { items: notes, tell } = await cutList(
      limitOf(options),
      (limit) => memory.notes.list({ ...selection, limit }),
      { terminal, format },
    );
    terminal.out(renderNotes(notes, originOf(options), format, terminal));
    tell();
    if (notes.length === 0 && format === "table") {
      const isNarrowed = Object.values(selection).some((value) => value !== undefined);
      const advice = 'No memories yet; store one with: ralph memory add "<what to remember>"';
      terminal.talk(isNarrowed ? "No memories to show\n" : `${advice}\n`);
    }
    return 0;
  },
});
