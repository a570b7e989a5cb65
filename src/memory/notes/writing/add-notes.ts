import { isoDate } from "../../../domain/clock.js";
import { type Note, type NoteType, noteTypes } from "../../../domain/knowledge/note.js";
import { insertNotes } from "../../../notes/edit.js";
import type { Shelf } from "../../places/shelf.js";
import { indexNote } from "../indexing/index-note.js";
import { findDuplicate, unusedId } from "./add-note.js";
import type { CheckedNote } from "./new-note.js";
import { inNotesTransaction, type NotesTransaction } from "./notes-transaction.js";
import { rewriteNotesFile } from "./rewrite-notes-file.js";
import { syncForWriting } from "./settle-notes.js";

/** A note that was written elsewhere. */
export interface GivenNote extends CheckedNote {
  created?: string | undefined;
  /** Kept if no other note has it. */
  id?: string | undefined;
}

export type AddedOne = { kind: "added" | "existing"; note: Note } | { kind: "deleted" };

/** Adds many notes at once, in the order in which they are given; the file is written once for each of their types. */
export async function addNotes(shelf: Shelf, given: readonly GivenNote[]): Promise<AddedOne[]> {
  return inNotesTransaction(shelf, (transaction) => addAll(transaction, shelf, given), {
    isRebuildable: true,
  });
}

async function addAll(
  transaction: NotesTransaction,
  shelf: Shelf,
  given: readonly GivenNote[],
): Promise<AddedOne[]> {
  const { tx } = transaction;
  const scope = await syncForWriting(transaction, shelf);
  const results: AddedOne[] = [];
  const fresh = new Map(noteTypes.map((type) => [type, new Map<string, Note>()]));
  const used = new Set<string>();
  for (const { redacted: _redacted, ...note } of given) {
    const existing = await findDuplicate(tx, shelf, scope, note);
    const twin = existing ?? fresh.get(note.type)?.get(note.content);
    if (twin !== undefined) results.push({ kind: "existing", note: twin });
    else if (note.id !== undefined && (await tx.deletedNotes.has(note.id))) results.push({ kind: "deleted" });
    else {
      const id = await idFor(transaction, shelf, note.id, used);
      used.add(id);
      const added: Note = { ...note, id, created: note.created ?? isoDate(shelf.clock()) };
      fresh.get(note.type)?.set(note.content, added);
      results.push({ kind: "added", note: added });
    }
  }
  for (const [type, notes] of fresh) await insertAll(transaction, shelf, type, [...notes.values()]);
  for (const notes of fresh.values())
    for (const note of notes.values()) await indexNote(tx, scope.home, note);
  return results;
}

async function idFor(
  { tx }: NotesTransaction,
  shelf: Shelf,
  wanted: string | undefined,
  used: ReadonlySet<string>,
): Promise<string> {
  const isFree = wanted !== undefined && !used.has(wanted) && !(await tx.notes.isIdTaken(wanted));
  if (isFree) return wanted;
  for (;;) {
    const id = await unusedId(tx, shelf);
    if (!used.has(id)) return id;
  }
}

async function insertAll(
  transaction: NotesTransaction,
  shelf: Shelf,
  type: NoteType,
  notes: readonly Note[],
): Promise<void> {
  if (notes.length === 0) return;
  const today = isoDate(shelf.clock());
  await rewriteNotesFile(transaction, shelf, shelf.place.home, async (bytes) => {
    const { edit, addedSection: text } = insertNotes(bytes, type, notes, { today });
    return { edits: [edit], addedSection: { type, text } };
  });
}
