import { defineCommand } from "../../framework/command.js";
import { globalOption, originOf, ownerOf } from "../../options/note-options.js";
import { noteJson } from "../../output/notes.js";
import { renderJson } from "../../output/terminal/json.js";

export const deleteCommand = defineCommand({
  summary: "delete a memory",
  description: "The memory is removed from .agent/memories.md; the rest of the file is left untouched.",
  arguments: [{ name: "id", summary: "memory id, or a unique prefix of it" }],
  options: { global: globalOption },
  formats: ["table", "json", "quiet"],
  examples: ["ralph memory delete mem-1737372000-a1b2"],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const note = await memory.notes.delete(id);
    if (format === "json") terminal.out(renderJson({ ...noteJson(note, originOf(options)), deleted: true }));
    else terminal.out(format === "quiet" ? `${note.id}\n` : `🗑️  Memory deleted: ${note.id}\n`);
    return 0;
  },
});
