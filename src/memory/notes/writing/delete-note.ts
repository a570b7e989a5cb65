import { isoDate } from "../../../domain/clock.js";
import type { Note, StoredNote } from "../../../domain/knowledge/note.js";
import { removeNote } from "../../../notes/edit.js";
import { parseNotes } from "../../../notes/parse.js";
import type { NotesFile } from "../../places/place.js";
import { fileOf, type Shelf, toStoredNote } from "../../places/shelf.js";
import { indexNote, unindexNote } from "../indexing/index-note.js";
import { noteNotFound } from "../note-not-found.js";
import { resolveNote } from "../resolve-note.js";
import { inNotesTransaction, type NotesTransaction } from "./notes-transaction.js";
import { rewriteNotesFile } from "./rewrite-notes-file.js";
import { isBeingSaved, whenSaved } from "./when-saved.js";

/** Deletes a note from the shared file and from this worktree's copy. */
export async function deleteNote(shelf: Shelf, idOrPrefix: string): Promise<StoredNote> {
  return inNotesTransaction(shelf, (transaction) =>
    whenSaved(transaction, shelf, async (scope) => {
      const { tx } = transaction;
      const row = await resolveNote(tx, scope, idOrPrefix);
      let isGone = true;
      for (const fileId of [scope.home, scope.copy]) {
        const stored = fileId === undefined ? undefined : await tx.notes.find(fileId, row.id);
        if (stored === undefined) continue;
        const file = fileOf(stored, scope, shelf.place);
        const { next } = await removeFromFile(transaction, shelf, file, row.id);
        await unindexNote(tx, stored.fileId, row.id);
        if (next === undefined) continue;
        await indexNote(tx, stored.fileId, next);
        isGone = false;
      }
      if (isGone) await tx.deletedNotes.record(row.id, shelf.clock().toISOString());
      return toStoredNote(row, scope, shelf.place);
    }),
  );
}

/** Returns the note that takes its place, if another one in the file has the same id. */
async function removeFromFile(
  transaction: NotesTransaction,
  shelf: Shelf,
  file: NotesFile,
  id: string,
): Promise<{ next?: Note | undefined }> {
  return rewriteNotesFile(transaction, shelf, file, async (bytes) => {
    const document = parseNotes(bytes, { today: isoDate(shelf.clock()) });
    const block = document.blocks.find((candidate) => candidate.note.id === id);
    if (block === undefined) {
      if (await isBeingSaved(transaction, shelf)) throw noteNotFound(id);
      return { edits: [], next: undefined };
    }
    const added = await transaction.tx.addedSections.find(file.name, block.note.type);
    const { edits, removesSection } = removeNote(document, block, added);
    const next = document.repeated.find((candidate) => candidate.note.id === id)?.note;
    return { edits, removedSection: removesSection ? block.note.type : undefined, next };
  });
}
