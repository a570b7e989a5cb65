import { isoDate } from "../domain/clock.js";
import type { Note, NoteType, StoredNote } from "../domain/note.js";
import { RalphError } from "../domain/ralph-error.js";
import { changeNote, type NoteChange } from "../notes/edit.js";
import { parseNotes } from "../notes/parse.js";
import type { SecretKind } from "../text/redact.js";
import { indexNote, unindexNote } from "./index-note.js";
import { checkContent, checkTags } from "./note-input.js";
import { noteNotFound } from "./note-not-found.js";
import { resolveNote } from "./resolve-note.js";
import { rewriteNotesFile, takeTurn } from "./rewrite-notes-file.js";
import { type Shelf, toStoredNote } from "./shelf.js";
import { syncNotesIn } from "./sync-notes.js";

export interface NoteEdit {
  content?: string | undefined;
  tags?: readonly string[] | undefined;
  type?: NoteType | undefined;
}

export interface EditedNote {
  note: StoredNote;
  redacted: SecretKind[];
}

/** Changes a note in the file where it stands. */
export async function editNote(shelf: Shelf, idOrPrefix: string, edit: NoteEdit): Promise<EditedNote> {
  const { change, redacted } = checkEdit(edit);
  return takeTurn(shelf, async (turn) => {
    const { tx } = turn;
    const fileIds = await syncNotesIn(tx, shelf);
    const row = await resolveNote(tx, fileIds, idOrPrefix);
    const { home, copy } = shelf.place;
    const file = row.fileId === fileIds.copy && copy !== undefined ? copy : home;
    const options = { path: file.path, today: isoDate(shelf.clock()) };
    const addedBefore = await tx.addedSections.find(file.name, row.type);
    let note: Note = row;
    await rewriteNotesFile(turn, shelf, file, async (bytes) => {
      const document = parseNotes(bytes, options);
      const block = document.blocks.find((candidate) => candidate.note.id === row.id);
      if (block === undefined) throw noteNotFound(row.id);
      const { edits, addedSection } = changeNote(document, block, change, addedBefore, options);
      note = { ...block.note, ...change };
      if (addedSection !== undefined) await tx.addedSections.save(file.name, note.type, addedSection);
      return edits;
    });
    await unindexNote(tx, row.fileId, row.id);
    await indexNote(tx, row.fileId, note);
    const indexed = await resolveNote(tx, fileIds, row.id);
    return { note: toStoredNote(indexed, fileIds, shelf.place), redacted };
  });
}

function checkEdit(edit: NoteEdit): { change: NoteChange; redacted: SecretKind[] } {
  if (edit.content === undefined && edit.tags === undefined && edit.type === undefined) {
    throw new RalphError("wrong-use", "Nothing to change", { hint: "give new content, --type or --tags" });
  }
  const content = edit.content === undefined ? undefined : checkContent(edit.content);
  const tags = edit.tags === undefined ? undefined : checkTags(edit.tags);
  return {
    change: {
      ...(content && { content: content.value }),
      ...(tags && { tags: tags.value }),
      ...(edit.type && { type: edit.type }),
    },
    redacted: [...new Set([...(content?.redacted ?? []), ...(tags?.redacted ?? [])])],
  };
}
