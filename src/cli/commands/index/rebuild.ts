import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { globalOption, ownerOf } from "../../options/note-options.js";
import { renderJson } from "../../output/terminal/json.js";

export const rebuildCommand = defineCommand({
  summary: "rebuild the search index from the files",
  description: "The current index is dropped. Files and records are not changed.",
  arguments: [],
  options: { global: globalOption },
  formats: ["table", "json"],
  examples: ["ralph index rebuild"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const { notes } = await memory.rebuildIndex();
    terminal.out(format === "json" ? renderJson({ notes }) : `Indexed ${counted(notes, "note")}\n`);
    return 0;
  },
});
