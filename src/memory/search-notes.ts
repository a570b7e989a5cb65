import type { StoredNote } from "../domain/note.js";
import { RalphError } from "../domain/ralph-error.js";
import { noteKind, tagLabel, typeLabel } from "../search/note-labels.js";
import { searchRecords } from "../search/search-records.js";
import type { NoteSelection } from "./list-notes.js";
import { checkType } from "./note-type.js";
import { type Shelf, toStoredNote } from "./shelf.js";
import { syncNotes } from "./sync-notes.js";

export interface NoteSearch extends NoteSelection {
  text: string;
  limit?: number | undefined;
}

/** Best first. */
export async function searchNotes(
  shelf: Shelf,
  { text, types, tags, limit = -1 }: NoteSearch,
): Promise<StoredNote[]> {
  if (typeof text !== "string") {
    throw new RalphError("wrong-use", "A search needs a text", {
      hint: 'such as { text: "how do we deploy" }',
    });
  }
  const fileIds = await syncNotes(shelf);
  const sources = [fileIds.home, fileIds.copy].filter((fileId) => fileId !== undefined).map(String);
  const hits = await searchRecords(shelf.store.lexical, {
    text,
    kind: noteKind,
    sources,
    labelGroups: [(types ?? []).map(checkType).map(typeLabel), (tags ?? []).map(tagLabel)].filter(
      (group) => group.length > 0,
    ),
    // Notes of a copy may be hidden by the shared file's, which is found out only afterwards.
    limit: fileIds.copy === undefined ? limit : -1,
  });
  const rows = await shelf.store.notes.listByIds(fileIds, [...new Set(hits.map((hit) => hit.id))]);
  const visible = new Map(rows.map((row) => [`${row.fileId} ${row.id}`, row]));
  const found = hits.flatMap((hit) => visible.get(`${hit.source} ${hit.id}`) ?? []);
  const { newestFirst } = await import("./newest-first.js");
  return newestFirst(found)
    .slice(0, limit === -1 ? undefined : limit)
    .map((row) => toStoredNote(row, fileIds, shelf.place));
}
