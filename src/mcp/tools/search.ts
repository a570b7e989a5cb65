import { clipped, fencedLines, line } from "../as-data.js";
import { defineTool } from "./tool.js";

const defaultLimit = 10;
const whatShowsIds = "search looks for words; why shows a note or a learning by its id, history a task";

export const searchTool = defineTool({
  name: "search",
  description:
    "Searches notes and past tasks for words, an error message or a file name, best match first. `why` shows a note in full.",
  arguments: {
    query: { type: "string" },
    in: { type: "string", enum: ["notes", "tasks"], description: "default: both" },
    limit: { type: "integer", minimum: 1, maximum: 100, description: "of each kind; default 10" },
  },
  required: ["query"],
  effect: "reads",
  isIdempotent: true,
  isAlwaysLoaded: true,
  async run(memory, { query, in: kind, limit = defaultLimit }) {
    const found = {
      notes: kind === "tasks" ? [] : await memory.notes.search({ text: query, limit }),
      tasks: kind === "notes" ? [] : await memory.tasks.search({ text: query, limit }),
    };
    const notes = found.notes.map(({ id, type, content, tags, created }) => ({
      ...{ id, type, tags, created },
      content: clipped(content),
    }));
    const tasks = found.tasks.map(({ id, status, description, excerpt }) => ({
      ...{ id, status },
      description: clipped(description),
      ...(excerpt.from !== "description" && { [excerpt.from]: clipped(excerpt.text) }),
    }));
    const lines = [
      ...notes.map(({ id, type, content }) => `- ${id} (${type}): ${line(content)}`),
      ...found.tasks.map(
        ({ id, status, description, excerpt: { from, text } }) =>
          `- ${id} (${status}): ${line(description)}${from === "description" ? "" : ` · ${from}: ${line(text)}`}`,
      ),
    ];
    if (lines.length > 0) return { text: fencedLines("Records that match.", lines), value: { notes, tasks } };
    const isId = /^(?:mem|learn|task)-\S+$/.test(query.trim());
    return {
      text: isId ? `Nothing found (${whatShowsIds})` : "Nothing found",
      value: { notes, tasks, ...(isId && { hint: whatShowsIds }) },
    };
  },
});
