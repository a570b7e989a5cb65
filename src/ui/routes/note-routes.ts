import { isNoteType, type NoteType, noteTypes, type StoredNote } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { fieldOf, type Listed, mustHave, pageOf, textOf, wordOf } from "./query.js";
import { type Asked, Raw, type Routes } from "./route.js";

export interface NoteList extends Listed<StoredNote> {
  counts: Partial<Record<NoteType, number>>;
}

const mostFound = 200;

export const noteRoutes: Routes = {
  "GET /api/notes": async ({ memory: { notes }, query }): Promise<NoteList> => {
    const { page, limit, offset } = pageOf(query);
    const type = wordOf(query, "type", noteTypes);
    const tag = textOf(query, "tag");
    const text = textOf(query, "q");
    const tags = tag === undefined ? undefined : [tag];
    const types = type === undefined ? undefined : [type];
    const counts = await notes.count({ tags });
    if (text !== undefined) {
      const found = await notes.search({ text, types, tags, limit: mostFound });
      return { rows: found.slice(offset, offset + limit), total: found.length, page, limit, counts };
    }
    const rows = await notes.list({ types, tags, limit, offset });
    const total =
      type === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : (counts[type] ?? 0);
    return { rows, total, page, limit, counts };
  },
  // As it is in the file: what is shown without control characters would be saved without them.
  "GET /api/notes/:id": async ({ memory, parts: [id = ""] }) => new Raw(await memory.notes.get(id)),
  "POST /api/notes": async (asked) =>
    asked.memory.notes.add({
      content: mustHave(asked, "content"),
      ...typeIn(asked),
      ...tagsIn(asked),
    }),
  "POST /api/notes/:id/edit": async (asked) => {
    const [id = ""] = asked.parts;
    const content = fieldOf(asked, "content");
    const was = fieldOf(asked, "was");
    if (was !== undefined && (await asked.memory.notes.get(id)).content !== was)
      throw new RalphError("merge-conflict", "The note says something else by now, and stays as it is", {
        hint: "keep your words, cancel, and edit it as it is now",
      });
    return asked.memory.notes.edit(id, {
      ...(content !== undefined && { content }),
      ...typeIn(asked),
      ...tagsIn(asked),
    });
  },
  "POST /api/notes/:id/delete": ({ memory, parts: [id = ""] }) => memory.notes.delete(id),
};

function typeIn(asked: Asked): { type?: NoteType } {
  const type = fieldOf(asked, "type");
  if (type === undefined) return {};
  if (isNoteType(type)) return { type };
  throw new RalphError("wrong-use", `type is one of ${noteTypes.join(", ")}`);
}

function tagsIn({ body: { tags } }: Asked): { tags?: string[] } {
  if (tags === undefined) return {};
  if (Array.isArray(tags) && tags.every((tag): tag is string => typeof tag === "string")) return { tags };
  throw new RalphError("wrong-use", "tags is a list of texts");
}
