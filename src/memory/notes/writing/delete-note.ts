import { isoDate } from "../../../domain/clock.js";
import type { StoredNote } from "../../../domain/knowledge/note.js";
import { removeNote } from "../../../notes/edit.js";
import { parseNotes } from "../../../notes/parse.js";
import type { NotesFile } from "../../places/place.js";
import { fileOf, type Shelf, toStoredNote } from "../../places/shelf.js";
import { unindexNote } from "../indexing/index-note.js";
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
      for (const fileId of [scope.home, scope.copy]) {
        const stored = fileId === undefined ? undefined : await tx.notes.find(fileId, row.id);
        if (stored === undefined) continue;
        await removeFromFile(transaction, shelf, fileOf(stored, scope, shelf.place), row.id);
        await unindexNote(tx, stored.fileId, row.id);
      }
      await tx.deletedNotes.record(row.id, shelf.clock().toISOString());
      return toStoredNote(row, scope, shelf.place);
    }),
  );
}

async function removeFromFile(
  transaction: NotesTransaction,
  shelf: Shelf,
  file: NotesFile,
  id: string,
): Promise<void> {
  await rewriteNotesFile(transaction, shelf, file, async (bytes) => {
    const document = parseNotes(bytes, { path: file.path, today: isoDate(shelf.clock()) });
    const block = document.blocks.find((candidate) => candidate.note.id === id);
    if (block === undefined) {
      if (await isBeingSaved(transaction, shelf)) throw noteNotFound(id);
      return { edits: [] };
    }
    const added = await transaction.tx.addedSections.find(file.name, block.note.type);
    const { edits, removesSection } = removeNote(document, block, added);
    return { edits, removedSection: removesSection ? block.note.type : undefined };
  });
}
