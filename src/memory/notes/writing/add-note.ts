import { isoDate } from "../../../domain/clock.js";
import type { Note, NoteType, StoredNote } from "../../../domain/knowledge/note.js";
import { newNoteId } from "../../../domain/knowledge/note-id.js";
import { insertNote } from "../../../notes/edit.js";
import type { NoteScope } from "../../../store/repositories/notes/note-rows.js";
import type { Repositories } from "../../../store/store.js";
import { normaliseText } from "../../../text/fingerprint.js";
import type { SecretKind } from "../../../text/secrets/redact.js";
import { type Shelf, toStoredNote } from "../../places/shelf.js";
import { indexNote, likenessOf } from "../indexing/index-note.js";
import { checkType } from "../note-type.js";
import { syncNotesIn } from "../sync-notes.js";
import { checkContent, checkTags } from "./note-input.js";
import { rewriteNotesFile, takeTurn } from "./rewrite-notes-file.js";

export interface NewNote {
  content: string;
  type?: NoteType;
  tags?: readonly string[];
}

/** `existing` when a note of that type already says the same; it is returned instead of a twin. */
export interface AddedNote {
  kind: "added" | "existing";
  note: StoredNote;
  redacted: SecretKind[];
}

/** A new note that has been checked, without its secrets. */
export interface CheckedNote extends Pick<Note, "type" | "content" | "tags"> {
  redacted: SecretKind[];
}

/** Refuses what could not be stored, before anything is opened or made. */
export function checkNewNote(input: NewNote): CheckedNote {
  const content = checkContent(input.content);
  const tags = checkTags(input.tags ?? []);
  return {
    type: checkType(input.type ?? "pattern"),
    content: content.value,
    tags: tags.value,
    redacted: [...new Set([...content.redacted, ...tags.redacted])],
  };
}

export async function addNote(shelf: Shelf, { redacted, ...checked }: CheckedNote): Promise<AddedNote> {
  return takeTurn(shelf, async (turn) => {
    const { tx } = turn;
    const scope = await syncNotesIn(tx, shelf);
    const twin = await findTwin(tx, shelf, scope, checked);
    if (twin !== undefined) return { kind: "existing", note: twin, redacted };
    const { home } = shelf.place;
    const created = isoDate(shelf.clock());
    let note: Note = { ...checked, id: "", created };
    await rewriteNotesFile(turn, shelf, home, async (bytes) => {
      note = { ...note, id: await freeId(tx, shelf) };
      const { edit, addedSection } = insertNote(bytes, note, { path: home.path, today: created });
      return { edits: [edit], madeSection: { type: note.type, added: addedSection } };
    });
    await indexNote(tx, scope.home, note);
    return { kind: "added", note: { ...note, origin: home.origin }, redacted };
  });
}

async function findTwin(
  tx: Repositories,
  shelf: Shelf,
  scope: NoteScope,
  { type, content }: Pick<Note, "type" | "content">,
): Promise<StoredNote | undefined> {
  const alike = await tx.notes.listByLikeness(scope, type, likenessOf(content));
  const twin = alike.find((row) => normaliseText(row.content) === normaliseText(content));
  return twin && toStoredNote(twin, scope, shelf.place);
}

async function freeId(tx: Repositories, { clock, random }: Shelf): Promise<string> {
  for (let now = clock().getTime(); ; now += 1000) {
    // A second has 65,536 ids; when many are taken, the next second serves.
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const id = newNoteId(new Date(now), random);
      if (!(await tx.notes.isIdTaken(id))) return id;
    }
  }
}
