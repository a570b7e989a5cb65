import { isoDate } from "../../../domain/clock.js";
import type { Note, StoredNote } from "../../../domain/knowledge/note.js";
import { newNoteId } from "../../../domain/knowledge/record-ids.js";
import { type ReadAhead, readingAhead } from "../../../files/shared/read-ahead.js";
import { insertNote } from "../../../notes/edit.js";
import type { NoteScope } from "../../../store/repositories/notes/note-rows.js";
import type { Repositories } from "../../../store/store.js";
import { normaliseText } from "../../../text/fingerprint.js";
import { type Shelf, toStoredNote } from "../../places/shelf.js";
import type { Session } from "../../session.js";
import { contentKey, indexNote, unindexNote } from "../indexing/index-note.js";
import { checkType } from "../note-type.js";
import type { AddedNote, CheckedNote, NewNote } from "./new-note.js";
import { checkContent, checkTags } from "./note-input.js";
import { inNotesTransaction, type NotesTransaction } from "./notes-transaction.js";
import { rewriteNotesFile } from "./rewrite-notes-file.js";
import { syncForWriting } from "./settle-notes.js";

/** Rejects invalid input before anything is opened or created. */
export async function checkNewNote(input: NewNote): Promise<CheckedNote> {
  const content = await checkContent(input.content, 'for example: ralph memory add "uses barrel exports"');
  const tags = await checkTags(input.tags ?? []);
  return {
    type: checkType(input.type ?? "pattern"),
    content: content.value,
    tags: tags.value,
    redacted: [...new Set([...content.redacted, ...tags.redacted])],
  };
}

/** The notes file is read while the store is opened. */
export async function addNote(session: Session, input: NewNote): Promise<AddedNote> {
  const note = await checkNewNote(input);
  const { home } = await session.place();
  return readingAhead(home.path, (ahead) =>
    session.write((shelf) =>
      // The file is synced when it is written; the index would be made from it.
      inNotesTransaction(shelf, (transaction) => addIn(transaction, shelf, note, ahead), {
        isRebuildable: true,
      }),
    ),
  );
}

async function addIn(
  transaction: NotesTransaction,
  shelf: Shelf,
  { redacted, ...checked }: CheckedNote,
  ahead: ReadAhead,
): Promise<AddedNote> {
  const { tx } = transaction;
  const scope = await syncForWriting(transaction, shelf);
  const existing = await findDuplicate(tx, shelf, scope, checked);
  if (existing !== undefined) return { kind: "existing", note: existing, redacted };
  const { home } = shelf.place;
  const created = isoDate(shelf.clock());
  const planAdding = async (bytes: Buffer) => {
    const added: Note = { ...checked, id: await unusedId(tx, shelf), created };
    const { edit, addedSection } = insertNote(bytes, added, { today: created });
    return {
      edits: [edit],
      addedSection: { type: added.type, text: addedSection },
      note: added,
      indexing: {
        begin: () => indexNote(tx, scope.home, added),
        undo: () => unindexNote(tx, scope.home, added.id),
      },
    };
  };
  const { note } = await rewriteNotesFile(transaction, shelf, home, planAdding, ahead);
  return { kind: "added", note: { ...note, origin: home.origin }, redacted };
}

export async function findDuplicate(
  tx: Repositories,
  shelf: Shelf,
  scope: NoteScope,
  { type, content }: Pick<Note, "type" | "content">,
): Promise<StoredNote | undefined> {
  const candidates = await tx.notes.listByLikeness(scope, type, contentKey(content));
  const duplicate = candidates.find((row) => normaliseText(row.content) === normaliseText(content));
  return duplicate && toStoredNote(duplicate, scope, shelf.place);
}

export async function unusedId(tx: Repositories, { clock, random }: Shelf): Promise<string> {
  for (let now = clock().getTime(); ; now += 1000) {
    // There are 65,536 ids per second; when many are taken, try the next second.
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const id = newNoteId(new Date(now), random);
      if (!(await tx.notes.isIdTaken(id))) return id;
    }
  }
}
