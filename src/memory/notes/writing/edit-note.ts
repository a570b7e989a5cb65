import { isoDate } from "../../../domain/clock.js";
import type { Note, NoteChange, NoteType, StoredNote } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { changeNote } from "../../../notes/edit.js";
import { parseNotes } from "../../../notes/parse.js";
import type { SecretKind } from "../../../text/secrets/redact.js";
import { fileOf, type Shelf, toStoredNote } from "../../places/shelf.js";
import { indexNote, unindexNote } from "../indexing/index-note.js";
import { noteNotFound } from "../note-not-found.js";
import { checkType } from "../note-type.js";
import { resolveNote } from "../resolve-note.js";
import { syncNotesIn } from "../sync-notes.js";
import { checkContent, checkTags } from "./note-input.js";
import { inNotesTransaction, rewriteNotesFile } from "./rewrite-notes-file.js";

export interface NoteEdit {
  content?: string | undefined;
  tags?: readonly string[] | undefined;
  type?: NoteType | undefined;
}

export interface EditedNote {
  note: StoredNote;
  redacted: SecretKind[];
}

/** A valid edit, with secrets redacted. */
export interface CheckedEdit {
  change: NoteChange;
  redacted: SecretKind[];
}

/** Rejects invalid input before anything is opened or created. */
export function checkNoteEdit(edit: NoteEdit): CheckedEdit {
  if (edit.content === undefined && edit.tags === undefined && edit.type === undefined) {
    throw new RalphError("wrong-use", "Nothing to change", { hint: "give new content, --type or --tags" });
  }
  const content = edit.content === undefined ? undefined : checkContent(edit.content);
  const tags = edit.tags === undefined ? undefined : checkTags(edit.tags);
  return {
    change: {
      ...(content && { content: content.value }),
      ...(tags && { tags: tags.value }),
      ...(edit.type && { type: checkType(edit.type) }),
    },
    redacted: [...new Set([...(content?.redacted ?? []), ...(tags?.redacted ?? [])])],
  };
}

/** Changes a note in its file. */
export async function editNote(shelf: Shelf, idOrPrefix: string, edit: CheckedEdit): Promise<EditedNote> {
  return inNotesTransaction(shelf, async (transaction) => {
    const { tx } = transaction;
    const scope = await syncNotesIn(tx, shelf);
    const row = await resolveNote(tx, scope, idOrPrefix);
    const file = fileOf(row, scope, shelf.place);
    const options = { path: file.path, today: isoDate(shelf.clock()) };
    const { note } = await rewriteNotesFile(transaction, shelf, file, async (bytes) => {
      const document = parseNotes(bytes, options);
      const block = document.blocks.find((candidate) => candidate.note.id === row.id);
      if (block === undefined) throw noteNotFound(row.id);
      const before = block.note;
      const changed: Note = { ...before, ...edit.change };
      const added = await tx.addedSections.find(file.name, before.type);
      const { edits, addedSection, removesSection } = changeNote(
        document,
        block,
        edit.change,
        added,
        options,
      );
      return {
        edits,
        addedSection: { type: changed.type, text: addedSection },
        removedSection: removesSection ? before.type : undefined,
        note: changed,
      };
    });
    await unindexNote(tx, row.fileId, row.id);
    await indexNote(tx, row.fileId, note);
    const indexed = await resolveNote(tx, scope, row.id);
    return { note: toStoredNote(indexed, scope, shelf.place), redacted: edit.redacted };
  });
}
