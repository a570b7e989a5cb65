import type { StoredNote } from "../../domain/knowledge/note.js";
import { recordDigest } from "../../domain/record-digest.js";
import { normaliseText } from "../../text/fingerprint.js";
import { listNotes } from "../notes/list-notes.js";
import { checkNoteEdit } from "../notes/note-input.js";
import { addNotes, editNote } from "../notes/write-notes.js";
import type { StoreContext } from "../project/place.js";
import { checkForeignNote } from "./check-record.js";
import type { ForeignNote } from "./foreign-record.js";
import { deletedHere, type Entry, type EntryOf, type ImportResult, type ImportRun } from "./import-run.js";

type Note = Pick<StoredNote, "type" | "content" | "tags">;

/** Adds notes, and updates those that changed elsewhere but not here. Notes are in a file, outside of any transaction. */
export async function importNotes(
  context: StoreContext,
  run: ImportRun,
  entries: readonly EntryOf<"note">[],
): Promise<Map<Entry, ImportResult>> {
  const results = new Map<Entry, ImportResult>();
  if (entries.length === 0) return results;
  // Listing all notes for each part of a large import would be quadratic.
  const isAsked = run.dryRun || entries.some(({ known }) => known?.recordId !== undefined);
  const here = isAsked ? await listNotes(context, {}) : [];
  const byId = new Map(here.map((note) => [note.id, note]));
  const fresh: EntryOf<"note">[] = [];
  for (const entry of entries) {
    const own = entry.known?.recordId;
    if (own === undefined || own.startsWith("stage-")) fresh.push(entry);
    else results.set(entry, await changeNote(context, run, entry, byId.get(own)));
  }
  const added = await (run.dryRun ? predict(here, fresh) : add(context, fresh));
  for (const [index, entry] of fresh.entries()) {
    const result = added[index];
    if (result !== undefined) results.set(entry, result);
  }
  return results;
}

async function add(context: StoreContext, entries: readonly EntryOf<"note">[]): Promise<ImportResult[]> {
  const checked = entries.map(({ record: { record } }) => ({
    ...checkForeignNote(record),
    created: record.created,
    id: record.id,
  }));
  const added = await addNotes(context, checked);
  return added.map((each): ImportResult => {
    if (each.kind === "deleted") return deletedHere;
    const outcome = each.kind === "added" ? "added" : "present";
    return { outcome, recordId: each.note.id, digest: noteDigest(each.note) };
  });
}

function predict(here: readonly Note[], entries: readonly EntryOf<"note">[]): ImportResult[] {
  const key = ({ type, content }: Pick<Note, "type" | "content">) => `${type} ${normaliseText(content)}`;
  const known = new Set(here.map(key));
  const predicted: ImportResult[] = [];
  for (const { record } of entries) {
    predicted.push({ outcome: known.has(key(checkForeignNote(record.record))) ? "present" : "added" });
    known.add(key(record.record));
  }
  return predicted;
}

async function changeNote(
  context: StoreContext,
  { report, dryRun }: ImportRun,
  { record: { record, id }, known }: EntryOf<"note">,
  here: StoredNote | undefined,
): Promise<ImportResult> {
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
  const { note } = await editNote(context, recordId, checkNoteEdit({ type, content, tags }));
  return { outcome: "updated", recordId: note.id, digest: noteDigest(note) };
}

function noteDigest({ type, content, tags }: Note): string {
  return recordDigest("note", { type, content, tags });
}
