import { defineCommand } from "../../framework/command.js";
import { globalOption, ownerOf } from "../../options/note-options.js";
import { renderJson } from "../../output/terminal/json.js";

export const initMemoryCommand = defineCommand({
  summary: "make an empty memories file",
  arguments: [],
  options: {
    force: { kind: "flag", summary: "overwrite an existing file; the old one is kept as a copy" },
    global: globalOption,
  },
  formats: ["table", "json"],
  examples: ["ralph memory init", "ralph memory init --force"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const { path, previous } = await memory.notes.init({ force: options.force });
    if (format === "json") terminal.out(renderJson({ path, ...(previous && { previous }) }));
    else {
      terminal.out(`Memories file made: ${path}\n`);
      if (previous !== undefined) terminal.out(`The old one is kept as ${previous}\n`);
    }
    return 0;
  },
});
