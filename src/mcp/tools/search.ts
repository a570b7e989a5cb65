import type { Learning } from "../../domain/knowledge/learning.js";
import { adviceOf } from "../../domain/knowledge/statement.js";
import type { Memory } from "../../memory/memory.js";
import { clipped, fencedLines, line } from "../as-data.js";
import { defineTool } from "./tool.js";

const defaultLimit = 10;
const whatShowsIds = "search looks for words; why shows a note or a learning by its id, history a task";

export const searchTool = defineTool({
  name: "search",
  description:
    "Searches notes, learnings and past tasks for words, an error message or a file name, best match first. `why` shows a note in full.",
  arguments: {
    query: { type: "string" },
    in: { type: "string", enum: ["notes", "learnings", "tasks"], description: "default: all" },
    limit: { type: "integer", minimum: 1, maximum: 100, description: "of each kind; default 10" },
  },
  required: ["query"],
  effect: "reads",
  isIdempotent: true,
  isAlwaysLoaded: true,
  async run(memory, { query, in: kind, limit = defaultLimit }) {
    const isWanted = (each: typeof kind) => kind === undefined || kind === each;
    const found = {
      notes: isWanted("notes") ? await memory.notes.search({ text: query, limit }) : [],
      learnings: isWanted("learnings") ? await intactLearnings(memory, query, limit) : [],
      tasks: isWanted("tasks") ? await memory.tasks.search({ text: query, limit }) : [],
    };
    const notes = found.notes.map(({ id, type, content, tags, created }) => ({
      ...{ id, type, tags, created },
      content: clipped(content),
    }));
    const learnings = found.learnings.map((learning) => ({
      ...{ id: learning.id, type: learning.type },
      statement: clipped(adviceOf(learning)),
    }));
    const tasks = found.tasks.map(({ id, status, description, excerpt }) => ({
      ...{ id, status },
      description: clipped(description),
      ...(excerpt.from !== "description" && { [excerpt.from]: clipped(excerpt.text) }),
    }));
    const lines = [
      ...notes.map(({ id, type, content }) => `- ${id} (${type}): ${line(content)}`),
      ...learnings.map(({ id, type, statement }) => `- ${id} (${type}): ${line(statement)}`),
      ...found.tasks.map(
        ({ id, status, description, excerpt: { from, text } }) =>
          `- ${id} (${status}): ${line(description)}${from === "description" ? "" : ` · ${from}: ${line(text)}`}`,
      ),
    ];
    const value = { notes, learnings, tasks };
    if (lines.length > 0) return { text: fencedLines("Records that match.", lines), value };
    const isId = /^(?:mem|learn|task)-\S+$/.test(query.trim());
    return {
      text: isId ? `Nothing found (${whatShowsIds})` : "Nothing found",
      value: { ...value, ...(isId && { hint: whatShowsIds }) },
    };
  },
});

/** Those that nobody changed behind Ralph's back. */
async function intactLearnings({ learnings }: Memory, text: string, limit: number): Promise<Learning[]> {
  const found = await learnings.search({ text, limit });
  const altered = new Set(await learnings.findAltered(found));
  return found.filter(({ id }) => !altered.has(id));
}
