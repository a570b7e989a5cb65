import type { StoredNote } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { defineCommand, type Invocation, type OptionSpecs } from "../../framework/command.js";
import { globalOption, originOf, ownerOf } from "../../options/note-options.js";
import { renderOneNote } from "../../output/notes.js";

export const showCommand = defineCommand({
  summary: "show a memory",
  description: "Looks in the project's memory, then in your global one.",
  arguments: [{ name: "id", summary: "memory id, or a unique prefix of it" }],
  options: { global: { ...globalOption, summary: "look only in your global memory" } },
  formats: ["table", "json", "markdown", "quiet"],
  isLong: true,
  examples: ["ralph memory show mem-1737372000-a1b2", "ralph memory show mem-17373720 --format json"],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const note = await findNote(id, options, openMemory);
    terminal.out(renderOneNote(note, originOf(options), format));
    return 0;
  },
});

async function findNote(
  id: string,
  options: { global: boolean },
  openMemory: Invocation<OptionSpecs>["openMemory"],
): Promise<StoredNote> {
  try {
    return await (await openMemory({ owner: ownerOf(options) })).notes.get(id);
  } catch (error) {
    const isMissing = error instanceof RalphError && error.code === "not-found";
    if (!isMissing || options.global) throw error;
    const own = await openMemory({ owner: "user" });
    return own.notes.get(id).catch(() => {
      throw error;
    });
  }
}
