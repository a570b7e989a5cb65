import type { NoteType } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { FileStamp } from "../../../files/file-stamp.js";
import type { FileSnapshot } from "../../../files/read-file.js";
import type { ReadAhead } from "../../../files/shared/read-ahead.js";
import { refuseUtf16 } from "../../../files/shared/refuse-utf16.js";
import { type ReplaceOptions, replaceShared } from "../../../files/shared/replace-shared.js";
import { refuseConflictMarkers } from "../../../notes/conflict-markers.js";
import { applyEdits, type Edit } from "../../../notes/edit.js";
import { renderTemplate } from "../../../notes/render.js";
import type { Repositories } from "../../../store/store.js";
import type { NotesFile } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";
import type { NotesTransaction } from "./notes-transaction.js";
import { sharedNotes, syncWhole, trackNotes } from "./settle-notes.js";
import { readWritable, tooLargeToWrite } from "./too-large.js";

const maxTries = 100;
/** After so many tries the file is replaced although somebody has saved it again; their save is merged behind it. */
const patientTries = 10;

/** Edits of a notes file, and the sections that were added for a note or removed with its last one. */
export interface FileChange {
  edits: readonly Edit[];
  addedSection?: { type: NoteType; text: string | undefined };
  removedSection?: NoteType | undefined;
  /** Brings the index up to date while the file is written. */
  indexing?: { begin(): Promise<void>; undo(): Promise<void> };
}

/**
 * Changes a notes file and returns the change. If something else, such as an editor, writes the file meanwhile, it is synced
 * and `plan` runs again with the new bytes.
 */
export async function rewriteNotesFile<Change extends FileChange>(
  transaction: NotesTransaction,
  shelf: Shelf,
  file: NotesFile,
  plan: (bytes: Buffer) => Promise<Change>,
  ahead?: ReadAhead,
): Promise<Change> {
  const { tx } = transaction;
  let indexed = await tx.noteFiles.find(file.name);
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const snapshot = (attempt === 0 ? await ahead?.take() : undefined) ?? readWritable(file.path);
    const isIndexed = snapshot.stamp === indexed?.stamp;
    const isUrgent = attempt >= patientTries && snapshot.bytes !== undefined && snapshot.bytes.length > 0;
    if (indexed !== undefined && (isIndexed || isUrgent)) {
      const bytes = snapshot.bytes ?? Buffer.from(renderTemplate());
      refuseUtf16(bytes, file.path);
      // The index tells of those in what it was made from.
      if (!isIndexed || indexed.conflicts !== null) refuseConflictMarkers(file.path, bytes);
      // What has no markers was not read to its end.
      if (isIndexed && indexed.conflicts !== null) throw tooLargeToWrite(file.path);
      const change = await plan(bytes);
      const parts = applyEdits(bytes, change.edits);
      const replacing = { file, snapshot, isUrgent, meanwhile: change.indexing?.begin };
      const stamp = await replaceNotesFile(transaction, shelf, replacing, parts);
      if (stamp === undefined) await change.indexing?.undo();
      else {
        await tx.noteFiles.save(indexed.fileId, isIndexed ? stamp : "", null);
        await saveSections(tx, file, change);
        return change;
      }
    }
    await syncWhole(transaction, shelf, file);
    indexed = await tx.noteFiles.find(file.name);
  }
  throw new RalphError("file-unusable", `Something keeps writing to ${file.path}`, {
    hint: "stop it, then try again",
  });
}

async function saveSections(
  tx: Repositories,
  file: NotesFile,
  { addedSection, removedSection }: FileChange,
): Promise<void> {
  if (addedSection?.text !== undefined)
    await tx.addedSections.save(file.name, addedSection.type, addedSection.text);
  if (removedSection !== undefined) await tx.addedSections.remove(file.name, removedSection);
}

/** Replaces the whole file, unless it has changed since the snapshot; rolled back with the transaction. */
export async function replaceNotesFile(
  transaction: NotesTransaction,
  shelf: Shelf,
  { file, snapshot, ...options }: { file: NotesFile; snapshot: FileSnapshot } & ReplaceOptions,
  parts: readonly Uint8Array[],
): Promise<FileStamp | undefined> {
  const result = await replaceShared(sharedNotes(shelf, file), parts, snapshot, options);
  if (result.kind === "changed-meanwhile") return undefined;
  trackNotes(transaction, shelf, file, result);
  return result.stamp;
}
