import { defineCommand } from "../../framework/command.js";
import { globalOption, originOf, ownerOf } from "../../options/note-options.js";
import { renderOneNote } from "../../output/notes.js";

export const showCommand = defineCommand({
  summary: "show a memory",
  arguments: [{ name: "id", summary: "memory id, or a unique prefix of it" }],
  options: { global: globalOption },
  formats: ["table", "json", "markdown", "quiet"],
  examples: ["ralph memory show mem-1737372000-a1b2", "ralph memory show mem-17373720 --format json"],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    terminal.out(renderOneNote(await memory.notes.get(id), originOf(options), format));
    return 0;
  },
});
