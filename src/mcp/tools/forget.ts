import { statementOf } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import { clipped, fencedLines, line } from "../as-data.js";
import { defineTool } from "./tool.js";

export const forgetTool = defineTool({
  name: "forget",
  description: "Deletes a note (mem-…) or a learning (learn-…) that is wrong or outdated.",
  arguments: { id: { type: "string" } },
  required: ["id"],
  effect: "deletes",
  isIdempotent: true,
  whereIdsAre: "search and recall show the ids of this project; the user's own notes are not deleted here",
  async run(memory, { id }) {
    const { id: deleted, content } = await deletedRecord(id.trim());
    return {
      text: fencedLines(`Deleted ${deleted}.`, [`- ${line(content)}`]),
      value: { id: deleted, deleted: true, content: clipped(content) },
    };

    async function deletedRecord(given: string): Promise<{ id: string; content: string }> {
      if (given.startsWith("mem-")) return memory.notes.delete(given);
      if (!given.startsWith("learn-"))
        throw new RalphError("wrong-use", `Not the id of a note or a learning: ${given}`, {
          hint: "ids begin with mem- or learn-; search and recall show them; tasks are kept",
        });
      const learning = await memory.learnings.delete(given);
      return { id: learning.id, content: statementOf(learning) };
    }
  },
});
