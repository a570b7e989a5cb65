import { defineCommand } from "../../framework/command.js";
import { globalOption, ownerOf } from "../../options/note-options.js";
import { renderJson } from "../../output/terminal/json.js";

export const initMemoryCommand = defineCommand({
  summary: "create an empty memories file",
  arguments: [],
  options: {
    force: { kind: "flag", summary: "overwrite an existing file; a copy of it is kept" },
    global: globalOption,
  },
  formats: ["table", "json"],
  examples: ["ralph memory init", "ralph memory init --force"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const { path, previous } = await memory.notes.init({ force: options.force });
    if (format === "json") terminal.out(renderJson({ path, ...(previous && { previous }) }));
    else {
      terminal.out(`Memories file created: ${path}\n`);
      if (previous !== undefined) terminal.out(`The previous file was saved as ${previous}\n`);
    }
    return 0;
  },
});
