import { join } from "node:path";
import type { Memory } from "../../../memory/memory.js";
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
import { printRedacted } from "../../output/terminal/notices.js";
import type { Terminal } from "../../output/terminal/terminal.js";

export const addCommand = defineCommand({
  summary: "store a new memory",
  description:
    'The memory is added to .agent/memories.md. Keep to one idea, with its reason: "chose X because Y".\n' +
    "Duplicates are not stored twice. API keys and other secrets are redacted.",
  arguments: [{ name: "content", summary: 'what to remember; "-" reads it from standard input' }],
  options: {
    type: { ...typeOption, summary: "memory type [default: pattern]" },
    tags: { ...tagsOption, summary: "tags, comma-separated" },
    global: globalOption,
  },
  formats: ["table", "json", "quiet"],
  examples: [
    'ralph memory add "uses barrel exports" --type pattern --tags imports,structure',
    'ralph memory add "chose Zod for validation" -t decision --tags validation',
    'ralph memory add "ECONNREFUSED means start docker" -t fix --tags docker',
    "git log -1 --format=%B | ralph memory add - -t context",
  ],
  async run({ arguments: [content = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const added = await memory.notes.add({
      content: readContent(content),
      ...(options.type && { type: asType(options.type) ?? "pattern" }),
      ...(options.tags && { tags: options.tags }),
    });
    printRedacted(added.redacted, terminal);
    const isExisting = added.kind === "existing";
    if (format === "json") {
      terminal.out(
        renderJson({ ...noteJson(added.note, originOf(options)), ...(isExisting && { existing: true }) }),
      );
    } else if (format === "quiet") terminal.out(`${added.note.id}\n`);
    else terminal.out(`📝 Memory ${isExisting ? "is already stored" : "stored"}: ${added.note.id}\n`);
    if (format === "table" && !options.global) await tellPlace(memory, terminal);
    return 0;
  },
});

/** In a worktree the file is elsewhere, unless each branch has its own notes. */
async function tellPlace({ project, settings }: Memory, terminal: Terminal): Promise<void> {
  if (project.root === project.home) return;
  if ((await settings()).settings["memories.scope"] === "branch") return;
  const file = join(project.home, ".agent", "memories.md");
  terminal.talk(`Note: written to ${file}, which all worktrees share\n`);
}
