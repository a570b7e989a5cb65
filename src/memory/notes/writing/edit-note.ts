import { isoDate } from "../../../domain/clock.js";
import type { Note, NoteChange, NoteType, StoredNote } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { changeNote, insertNote } from "../../../notes/edit.js";
import { parseNotes } from "../../../notes/parse.js";
import type { NoteRow } from "../../../store/repositories/notes/note-rows.js";
import type { SecretKind } from "../../../text/secrets/mark.js";
import type { NotesFile } from "../../places/place.js";
import { fileOf, type Shelf, toStoredNote } from "../../places/shelf.js";
import { blockPrintOf, indexNote, unindexNote } from "../indexing/index-note.js";
import { noteNotFound } from "../note-not-found.js";
import { checkType } from "../note-type.js";
import { resolveNote } from "../resolve-note.js";
import { unusedId } from "./add-note.js";
import { checkContent, checkTags } from "./note-input.js";
import { inNotesTransaction, type NotesTransaction } from "./notes-transaction.js";
import { rewriteNotesFile } from "./rewrite-notes-file.js";
import { whenSaved } from "./when-saved.js";

export interface NoteEdit {
  content?: string | undefined;
  tags?: readonly string[] | undefined;
  type?: NoteType | undefined;
}

export interface EditedNote {
  note: StoredNote;
  redacted: SecretKind[];
}

const emptyHint = 'give new content, or remove the note with "ralph memory delete"; nothing was changed';

/** A valid edit, with secrets redacted. */
export interface CheckedEdit {
  change: NoteChange;
  redacted: SecretKind[];
}

/** Rejects invalid input before anything is opened or created. */
export async function checkNoteEdit(edit: NoteEdit): Promise<CheckedEdit> {
  if (edit.content === undefined && edit.tags === undefined && edit.type === undefined) {
    throw new RalphError("wrong-use", "Nothing to change", { hint: "give new content, --type or --tags" });
  }
  const content = edit.content === undefined ? undefined : await checkContent(edit.content, emptyHint);
  const tags = edit.tags === undefined ? undefined : await checkTags(edit.tags);
  return {
    change: {
      ...(content && { content: content.value }),
      ...(tags && { tags: tags.value }),
      ...(edit.type && { type: checkType(edit.type) }),
    },
    redacted: [...new Set([...(content?.redacted ?? []), ...(tags?.redacted ?? [])])],
  };
}

/**
 * Changes a note in its file. If somebody changes the same note meanwhile, theirs stays and ours is added as a note of its
 * own.
 */
export async function editNote(shelf: Shelf, idOrPrefix: string, edit: CheckedEdit): Promise<EditedNote> {
  return inNotesTransaction(shelf, (transaction) =>
    whenSaved(transaction, shelf, async (scope) => {
      const { tx } = transaction;
      const row = await resolveNote(tx, scope, idOrPrefix);
      const { id } = await rewriteNote(
        transaction,
        shelf,
        { row, file: fileOf(row, scope, shelf.place) },
        edit,
      );
      const indexed = await resolveNote(tx, scope, id);
      return { note: toStoredNote(indexed, scope, shelf.place), redacted: edit.redacted };
    }),
  );
}

async function rewriteNote(
  transaction: NotesTransaction,
  shelf: Shelf,
  { row, file }: { row: NoteRow; file: NotesFile },
  { change }: CheckedEdit,
): Promise<Note> {
  const { tx } = transaction;
  const options = { today: isoDate(shelf.clock()) };
  let first: Note | undefined;
  const { note } = await rewriteNotesFile(transaction, shelf, file, async (bytes) => {
    const document = parseNotes(bytes, options);
    const block = document.blocks.find((candidate) => candidate.note.id === row.id);
    if (block === undefined) throw noteNotFound(row.id);
    const before = block.note;
    first ??= before;
    if (blockPrintOf(first) !== blockPrintOf(before)) {
      const added: Note = { ...first, ...change, id: await unusedId(tx, shelf) };
      const { edit, addedSection } = insertNote(bytes, added, options);
      return { edits: [edit], addedSection: { type: added.type, text: addedSection }, note: added };
    }
    const changed: Note = { ...before, ...change };
    const added = await tx.addedSections.find(file.name, before.type);
    const { edits, addedSection, removesSection } = changeNote(document, block, change, added, options);
    return {
      edits,
      addedSection: { type: changed.type, text: addedSection },
      removedSection: removesSection ? before.type : undefined,
      note: changed,
    };
  });
  if (note.id === row.id) await unindexNote(tx, row.fileId, row.id);
  await indexNote(tx, row.fileId, note);
  return note;
}
