import { defineCommand } from "../../framework/command.js";
import { readContent } from "../../input/read-content.js";
import {
  asType,
  globalOption,
  originOf,
  ownerOf,
  tagsOption,
  typeOption,
} from "../../options/note-options.js";
import { noteJson } from "../../output/notes.js";
import { renderJson } from "../../output/terminal/json.js";
import { tellRedacted } from "../../output/terminal/notices.js";

export const editCommand = defineCommand({
  summary: "change a memory's content, type or tags",
  description:
    "The id and the date stay. With another type the note moves to that section of the file. Tags given here replace\n" +
    'the old ones; --tags "" removes them all.',
  arguments: [
    { name: "id", summary: "its id, or as much of it as is unique" },
    { name: "content", summary: 'the new content; "-" reads it from standard input', isOptional: true },
  ],
  options: {
    type: { ...typeOption, summary: "the new type" },
    tags: { ...tagsOption, summary: "the new tags, with commas between them" },
    global: globalOption,
  },
  formats: ["table", "json", "quiet"],
  examples: [
    'ralph memory edit mem-1737372000-a1b2 "uses barrel exports, except in tests"',
    "ralph memory edit mem-1737372000-a1b2 --type decision --tags imports",
  ],
  async run({ arguments: [id = "", content], options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const { note, redacted } = await memory.notes.edit(id, {
      content: content === undefined ? undefined : readContent(content),
      type: asType(options.type),
      tags: options.tags,
    });
    tellRedacted(redacted, terminal);
    if (format === "json") terminal.out(renderJson(noteJson(note, originOf(options))));
    else terminal.out(format === "quiet" ? `${note.id}\n` : `📝 Memory changed: ${note.id}\n`);
    return 0;
  },
});
