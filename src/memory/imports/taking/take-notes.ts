import type { StoredNote } from "../../../domain/knowledge/note.js";
import { recordDigest } from "../../../domain/record-digest.js";
import { normaliseText } from "../../../text/fingerprint.js";
import { listNotes } from "../../notes/list-notes.js";
import { checkNoteEdit } from "../../notes/note-input.js";
import { addNotes, editNote } from "../../notes/write-notes.js";
import type { StoreContext } from "../../project/place.js";
import { checkForeignNote } from "../check-record.js";
import type { ForeignNote } from "../foreign-record.js";
import { deletedHere, type Entry, type EntryOf, type Taken, type Taking } from "./taking.js";

type Note = Pick<StoredNote, "type" | "content" | "tags">;

/** Adds notes, and changes those that were changed elsewhere and not here. Notes are in a file, outside of any transaction. */
export async function takeNotes(
  shelf: StoreContext,
  taking: Taking,
  entries: readonly EntryOf<"note">[],
): Promise<Map<Entry, Taken>> {
  const taken = new Map<Entry, Taken>();
  if (entries.length === 0) return taken;
  // To list all notes for each part of a large import would take ever longer.
  const isAsked = taking.dryRun || entries.some(({ known }) => known?.recordId !== undefined);
  const here = isAsked ? await listNotes(shelf, {}) : [];
  const byId = new Map(here.map((note) => [note.id, note]));
  const fresh: EntryOf<"note">[] = [];
  for (const entry of entries) {
    const own = entry.known?.recordId;
    if (own === undefined || own.startsWith("stage-")) fresh.push(entry);
    else taken.set(entry, await changeNote(shelf, taking, entry, byId.get(own)));
  }
  const results = await (taking.dryRun ? foresee(here, fresh) : add(shelf, fresh));
  for (const [index, entry] of fresh.entries()) {
    const result = results[index];
    if (result !== undefined) taken.set(entry, result);
  }
  return taken;
}

async function add(shelf: StoreContext, entries: readonly EntryOf<"note">[]): Promise<Taken[]> {
  const checked = entries.map(({ record: { record } }) => ({
    ...checkForeignNote(record),
    created: record.created,
    id: record.id,
  }));
  const added = await addNotes(shelf, checked);
  return added.map((each): Taken => {
    if (each.kind === "deleted") return deletedHere;
    const outcome = each.kind === "added" ? "added" : "present";
    return { outcome, recordId: each.note.id, digest: noteDigest(each.note) };
  });
}

function foresee(here: readonly Note[], entries: readonly EntryOf<"note">[]): Taken[] {
  const key = ({ type, content }: Pick<Note, "type" | "content">) => `${type} ${normaliseText(content)}`;
  const known = new Set(here.map(key));
  const foreseen: Taken[] = [];
  for (const { record } of entries) {
    foreseen.push({ outcome: known.has(key(checkForeignNote(record.record))) ? "present" : "added" });
    known.add(key(record.record));
  }
  return foreseen;
}

async function changeNote(
  shelf: StoreContext,
  { report, dryRun }: Taking,
  { record: { record, id }, known }: EntryOf<"note">,
  here: StoredNote | undefined,
): Promise<Taken> {
  if (here === undefined) return deletedHere;
  const recordId = here.id;
  const { type, content, tags } = checkForeignNote(record);
  if (noteDigest({ type, content, tags }) === noteDigest(here))
    return { outcome: "present", recordId, digest: noteDigest(here) };
  if (known?.digest !== noteDigest(here)) {
    report.superseded.push({ id, record: recordId, kept: "ours" });
    return { outcome: "superseded", recordId, digest: known?.digest, lost: record satisfies ForeignNote };
  }
  if (dryRun) return { outcome: "updated", recordId };
  const { note } = await editNote(shelf, recordId, checkNoteEdit({ type, content, tags }));
  return { outcome: "updated", recordId: note.id, digest: noteDigest(note) };
}

function noteDigest({ type, content, tags }: Note): string {
  return recordDigest("note", { type, content, tags });
}
