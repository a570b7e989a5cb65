import type { Environment } from "../../../domain/environment.js";
import type { StoredNote } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { defineCommand } from "../../framework/command.js";
import { canPrompt } from "../../input/ask.js";
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
import { printRedacted } from "../../output/terminal/notices.js";

export const editCommand = defineCommand({
  summary: "change a memory's content, type or tags",
  description:
    "Without new content, type or tags, your editor (VISUAL, EDITOR or vi) opens on the content, on a terminal.\n" +
    "The id and the date are kept. Changing the type moves the memory to that section of the file. New tags replace the\n" +
    'old ones; --tags "" removes all tags.',
  arguments: [
    { name: "id", summary: "memory id, or a unique prefix of it" },
    { name: "content", summary: 'new content; "-" reads it from standard input', isOptional: true },
  ],
  options: {
    type: { ...typeOption, summary: "new type" },
    tags: { ...tagsOption, summary: "new tags, comma-separated" },
    global: globalOption,
  },
  formats: ["table", "json", "quiet"],
  examples: [
    "ralph memory edit mem-1737372000-a1b2",
    'ralph memory edit mem-1737372000-a1b2 "uses barrel exports, except in tests"',
    "ralph memory edit mem-1737372000-a1b2 --type decision --tags imports",
  ],
  async run({ arguments: [id = "", content], options, format, terminal, environment, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const isInEditor = content === undefined && options.type === undefined && options.tags === undefined;
    const before = isInEditor ? await memory.notes.get(id) : undefined;
    // npm sets EDITOR=vi for all that it runs, which would wait for ever.
    if (isInEditor && !(await canPrompt(terminal)))
      throw new RalphError("wrong-use", "Nothing to change: an editor is opened on a terminal only", {
        hint: 'give new content, --type or --tags; "-" reads the content from standard input',
      });
    const edited = before === undefined ? undefined : await inEditor(before, environment);
    if (before !== undefined && edited === before.content) {
      terminal.talk("Nothing was changed\n");
      return 0;
    }
    const given = content === undefined ? undefined : readContent(content);
    const { note, redacted } = await memory.notes.edit(before?.id ?? id, {
      content: edited ?? given,
      type: asType(options.type),
      tags: options.tags,
    });
    printRedacted(redacted, terminal);
    if (format === "json") terminal.out(renderJson(noteJson(note, originOf(options))));
    else terminal.out(format === "quiet" ? `${note.id}\n` : `📝 Memory updated: ${note.id}\n`);
    return 0;
  },
});

async function inEditor({ id, content }: StoredNote, environment: Environment): Promise<string> {
  const { editText } = await import("../../input/edit-text.js");
  return editText(content, `${id}.md`, environment);
}
