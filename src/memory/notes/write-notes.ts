import { isoDate } from "../../domain/clock.js";
import { type Note, type NoteType, noteTypes, type StoredNote } from "../../domain/knowledge/note.js";
import { newNoteId } from "../../domain/knowledge/record-ids.js";
import { limitAttempts } from "../../files/replace-file.js";
import {
  addMetadata,
  applyEdits,
  changeNote,
  insertNote,
  insertNotes,
  removeNote,
} from "../../notes/edit.js";
import { parseNotes } from "../../notes/parse.js";
import type { NoteRow, NoteScope } from "../../store/repositories/notes/note-rows.js";
import type { Repositories } from "../../store/store.js";
import { normaliseText } from "../../text/fingerprint.js";
import type { NotesFile } from "../project/place.js";
import { fileOf, type StoreContext, toStoredNote } from "../project/place.js";
import { blockPrintOf, contentKey, indexDocument, indexNote, unindexNote } from "./index-notes.js";
import type { AddedNote, CheckedEdit, CheckedNote, EditedNote } from "./note-input.js";
import {
  changingNotes,
  type NotesTransaction,
  readForChange,
  refuseConflict,
  saveNotesFile,
} from "./notes-file.js";
import { noteNotFound, resolveNote, syncNotesIn } from "./sync-notes.js";

/** A note that was written elsewhere. */
export interface GivenNote extends CheckedNote {
  created?: string | undefined;
  /** Used if it is free. */
  id?: string | undefined;
}

export type AddedOne = { kind: "added" | "existing"; note: StoredNote } | { kind: "deleted" };

export async function addNote(context: StoreContext, { redacted, ...note }: CheckedNote): Promise<AddedNote> {
  const [added] = await addNotes(context, [{ ...note, redacted }]);
  if (added === undefined || added.kind === "deleted")
    throw new Error("A new note has no id to be deleted by");
  return { ...added, redacted };
}

/** Adds notes in the given order, with one write of the file. */
export function addNotes(context: StoreContext, given: readonly GivenNote[]): Promise<AddedOne[]> {
  const { home } = context.place;
  return changingNotes(
    context,
    async (transaction) => {
      const { tx } = transaction;
      await refuseConflict(transaction, home);
      const scope = await syncNotesIn(tx, context);
      const { results, fresh } = await sortOut(tx, context, scope, given);
      if (fresh.length === 0) return results;
      const today = isoDate(context.clock());
      for (let attempt = 1; ; attempt += 1) {
        const current = await readForChange(transaction, home);
        const added: { type: NoteType; text: string | undefined }[] = [];
        let parts = [current.bytes];
        for (const type of noteTypes) {
          const notes = fresh.filter((note) => note.type === type);
          if (notes.length === 0) continue;
          const bytes = parts.length === 1 ? (parts[0] ?? current.bytes) : Buffer.concat(parts);
          const { edit, addedSection } = insertNotes(bytes, type, notes, { today });
          parts = applyEdits(bytes, [edit]);
          added.push({ type, text: addedSection });
        }
        if (await saveNotesFile(transaction, current, parts, { added })) break;
        limitAttempts(home.path, attempt);
      }
      for (const note of fresh) await indexNote(tx, scope.home, note);
      return results;
    },
    // The index can be rebuilt from the file, which is synced when written.
    { isRebuildable: true },
  );
}

/** The result for each of the notes, and the new ones. */
async function sortOut(
  tx: Repositories,
  context: StoreContext,
  scope: NoteScope,
  given: readonly GivenNote[],
): Promise<{ results: AddedOne[]; fresh: Note[] }> {
  const { origin } = context.place.home;
  const results: AddedOne[] = [];
  const fresh = new Map<string, StoredNote>();
  const used = new Set<string>();
  for (const { redacted: _redacted, id: wanted, ...note } of given) {
    const key = `${note.type} ${note.content}`;
    const existing = (await findDuplicate(tx, context, scope, note)) ?? fresh.get(key);
    if (existing !== undefined) results.push({ kind: "existing", note: existing });
    else if (wanted !== undefined && (await tx.deletedNotes.has(wanted))) results.push({ kind: "deleted" });
    else {
      const isFree = wanted !== undefined && !used.has(wanted) && !(await tx.notes.isIdTaken(wanted));
      const id = isFree ? wanted : await unusedId(tx, context, used);
      used.add(id);
      const added = { ...note, id, created: note.created ?? isoDate(context.clock()), origin };
      fresh.set(key, added);
      results.push({ kind: "added", note: added });
    }
  }
  return { results, fresh: [...fresh.values()] };
}

async function findDuplicate(
  tx: Repositories,
  context: StoreContext,
  scope: NoteScope,
  { type, content }: Pick<Note, "type" | "content">,
): Promise<StoredNote | undefined> {
  const candidates = await tx.notes.listByLikeness(scope, type, contentKey(content));
  const duplicate = candidates.find((row) => normaliseText(row.content) === normaliseText(content));
  return duplicate && toStoredNote(duplicate, scope, context.place);
}

async function unusedId(
  tx: Repositories,
  { clock, random }: StoreContext,
  used: ReadonlySet<string> = new Set(),
): Promise<string> {
  for (let now = clock().getTime(); ; now += 1000) {
    // There are 65,536 ids per second; if many are taken, tries the next second.
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const id = newNoteId(new Date(now), random);
      if (!used.has(id) && !(await tx.notes.isIdTaken(id))) return id;
    }
  }
}

/**
 * Changes a note in its file. If someone else changes the same note meanwhile, their version is kept and ours is added as a separate note.
 */
export function editNote(context: StoreContext, idOrPrefix: string, edit: CheckedEdit): Promise<EditedNote> {
  return changingNotes(context, async (transaction) => {
    const { tx } = transaction;
    await refuseConflict(transaction, context.place.home);
    const scope = await syncNotesIn(tx, context);
    const row = await resolveNote(tx, scope, idOrPrefix);
    const note = await rewriteNote(transaction, row, fileOf(row, scope, context.place), edit);
    if (note.id === row.id) await unindexNote(tx, row.fileId, row.id);
    await indexNote(tx, row.fileId, note);
    const indexed = await resolveNote(tx, scope, note.id);
    return { note: toStoredNote(indexed, scope, context.place), redacted: edit.redacted };
  });
}

async function rewriteNote(
  transaction: NotesTransaction,
  row: NoteRow,
  file: NotesFile,
  { change }: CheckedEdit,
): Promise<Note> {
  const { context, tx } = transaction;
  const options = { today: isoDate(context.clock()) };
  let first: Note | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const current = await readForChange(transaction, file);
    const document = parseNotes(current.bytes, options);
    const block = document.blocks.find((candidate) => candidate.note.id === row.id);
    if (block === undefined) throw noteNotFound(row.id);
    const before = block.note;
    first ??= before;
    if (blockPrintOf(first) !== blockPrintOf(before)) {
      const own: Note = { ...first, ...change, id: await unusedId(tx, context) };
      const { edit, addedSection } = insertNote(current.bytes, own, options);
      const sections = { added: [{ type: own.type, text: addedSection }] };
      if (await saveNotesFile(transaction, current, applyEdits(current.bytes, [edit]), sections)) return own;
    } else {
      const changed: Note = { ...before, ...change };
      const ownSection = await tx.addedSections.find(file.name, before.type);
      const { edits, addedSection, removesSection } = changeNote(
        document,
        block,
        change,
        ownSection,
        options,
      );
      const sections = {
        added: [{ type: changed.type, text: addedSection }],
        removed: removesSection ? [before.type] : [],
      };
      if (await saveNotesFile(transaction, current, applyEdits(current.bytes, edits), sections))
        return changed;
    }
    limitAttempts(file.path, attempt);
  }
}

/** Deletes a note from the shared file and from this worktree's copy. */
export function deleteNote(context: StoreContext, idOrPrefix: string): Promise<StoredNote> {
  return changingNotes(context, async (transaction) => {
    const { tx } = transaction;
    await refuseConflict(transaction, context.place.home);
    const scope = await syncNotesIn(tx, context);
    const row = await resolveNote(tx, scope, idOrPrefix);
    let isGone = true;
    for (const fileId of [scope.home, scope.copy]) {
      const stored = fileId === undefined ? undefined : await tx.notes.find(fileId, row.id);
      if (stored === undefined) continue;
      const next = await removeFromFile(transaction, fileOf(stored, scope, context.place), row.id);
      await unindexNote(tx, stored.fileId, row.id);
      if (next === undefined) continue;
      await indexNote(tx, stored.fileId, next);
      isGone = false;
    }
    if (isGone) await tx.deletedNotes.record(row.id, context.clock().toISOString());
    return toStoredNote(row, scope, context.place);
  });
}

/** Returns the note that replaces it, if another one in the file has the same id. */
async function removeFromFile(
  transaction: NotesTransaction,
  file: NotesFile,
  id: string,
): Promise<Note | undefined> {
  const { context, tx } = transaction;
  for (let attempt = 1; ; attempt += 1) {
    const current = await readForChange(transaction, file);
    const document = parseNotes(current.bytes, { today: isoDate(context.clock()) });
    const block = document.blocks.find((candidate) => candidate.note.id === id);
    if (block === undefined) return undefined;
    const ownSection = await tx.addedSections.find(file.name, block.note.type);
    const { edits, removesSection } = removeNote(document, block, ownSection);
    const sections = { removed: removesSection ? [block.note.type] : [] };
    if (await saveNotesFile(transaction, current, applyEdits(current.bytes, edits), sections))
      return document.repeated.find((candidate) => candidate.note.id === id)?.note;
    limitAttempts(file.path, attempt);
  }
}

/** Adds these metadata lines to notes without any, by id; every other byte of the file is kept. */
export function restoreMetadata(
  context: StoreContext,
  file: NotesFile,
  lines: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const options = { today: isoDate(context.clock()) };
  return changingNotes(context, async (transaction) => {
    for (let attempt = 1; ; attempt += 1) {
      const current = await readForChange(transaction, file);
      const edits = parseNotes(current.bytes, options).blocks.flatMap((block) => {
        const line = block.metadata === undefined ? lines.get(block.note.id) : undefined;
        return line === undefined ? [] : [addMetadata(current.bytes, block, line)];
      });
      const parts = applyEdits(current.bytes, edits);
      if (await saveNotesFile(transaction, current, parts)) {
        const document = parseNotes(Buffer.concat(parts), options);
        await indexDocument(transaction.tx, context, current.fileId, document);
        return;
      }
      limitAttempts(file.path, attempt);
    }
  });
}
