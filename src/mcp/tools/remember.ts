import { noteTypes } from "../../domain/knowledge/note.js";
import { defineTool } from "./tool.js";

export const rememberTool = defineTool({
  name: "remember",
  description:
    "Stores a note for all later work in this project. One idea with its reason, once you know that it holds. Duplicates and secrets are not stored.",
  arguments: {
    content: { type: "string", description: "such as: ECONNREFUSED in tests means that docker is down" },
    type: { type: "string", enum: noteTypes, description: "default: pattern" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["content"],
  effect: "adds",
  isIdempotent: true,
  isAlwaysLoaded: true,
  async run(memory, { content, type, tags }) {
    const { kind, note, redacted } = await memory.notes.add({
      content,
      ...(type && { type }),
      ...(tags && { tags }),
    });
    const left = redacted.length === 0 ? "" : `; secrets were redacted: ${redacted.join(", ")}`;
    return {
      text: `${kind === "existing" ? "Already stored as" : "Stored as"} ${note.id}${left}`,
      value: { id: note.id, type: note.type, is_new: kind === "added", redacted },
    };
  },
});
