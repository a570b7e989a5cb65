import { isoDate } from "../domain/clock.js";
import type { Note, NoteType, StoredNote } from "../domain/note.js";
import { newNoteId } from "../domain/note-id.js";
import { insertNote } from "../notes/edit.js";
import type { Repositories } from "../store/store.js";
import { normaliseText } from "../text/fingerprint.js";
import type { SecretKind } from "../text/redact.js";
import { indexNote, likenessOf } from "./index-note.js";
import { checkContent, checkTags } from "./note-input.js";
import { rewriteNotesFile, takeTurn } from "./rewrite-notes-file.js";
import { type FileIds, type Shelf, toStoredNote } from "./shelf.js";
import { syncNotesIn } from "./sync-notes.js";

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

export async function addNote(shelf: Shelf, input: NewNote): Promise<AddedNote> {
  const type = input.type ?? "pattern";
  const content = checkContent(input.content);
  const tags = checkTags(input.tags ?? []);
  const redacted = [...new Set([...content.redacted, ...tags.redacted])];
  return takeTurn(shelf, async (turn) => {
    const { tx } = turn;
    const fileIds = await syncNotesIn(tx, shelf);
    const twin = await findTwin(tx, shelf, fileIds, type, content.value);
    if (twin !== undefined) return { kind: "existing", note: twin, redacted };
    const { home } = shelf.place;
    const note: Note = {
      id: await freeId(tx, shelf),
      type,
      content: content.value,
      tags: tags.value,
      created: isoDate(shelf.clock()),
    };
    await rewriteNotesFile(turn, shelf, home, async (bytes) => {
      const { edit, addedSection } = insertNote(bytes, note, { path: home.path, today: note.created });
      if (addedSection !== undefined) await tx.addedSections.save(home.name, note.type, addedSection);
      return [edit];
    });
    await indexNote(tx, fileIds.home, note);
    return { kind: "added", note: { ...note, origin: home.origin }, redacted };
  });
}

async function findTwin(
  tx: Repositories,
  shelf: Shelf,
  fileIds: FileIds,
  type: NoteType,
  content: string,
): Promise<StoredNote | undefined> {
  const alike = await tx.notes.listByLikeness(fileIds, type, likenessOf(content));
  const twin = alike.find((row) => normaliseText(row.content) === normaliseText(content));
  return twin && toStoredNote(twin, fileIds, shelf.place);
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
