import { join } from "node:path";
import type { NoteType } from "../../domain/knowledge/note.js";
import { notesLimits } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { type FileStamp, stampFile } from "../../files/file-stamp.js";
import { type FileSnapshot, readFileSnapshot, refuseUtf16 } from "../../files/read-file.js";
import { type Replacement, replaceIfUnchanged, undoReplacement } from "../../files/replace-file.js";
import { refuseConflictMarkers } from "../../notes/conflict-markers.js";
import { renderTemplate } from "../../notes/render.js";
import type { Repositories, TransactionOptions } from "../../store/store.js";
import type { NotesFile, StoreContext } from "../project/place.js";
import { findNoteFile, reindexFile } from "./index-notes.js";
import { syncLargeFiles } from "./sync-notes.js";

/** A write transaction and the files replaced in it. */
export interface NotesTransaction {
  context: StoreContext;
  tx: Repositories;
  replaced: Replacement[];
}

/**
 * Runs `work` in a write transaction, which also serialises writers of the notes files. If it fails, for example on a full disk, the files
 * are put back.
 */
export async function changingNotes<Result>(
  context: StoreContext,
  work: (transaction: NotesTransaction) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  await syncLargeFiles(context);
  const replaced: Replacement[] = [];
  try {
    const run = (tx: Repositories) => work({ context, tx, replaced });
    return await context.store.transaction(run, { ...options, side: "local" });
  } catch (error) {
    try {
      for (const each of replaced.reverse()) undoReplacement(each);
    } catch {
      // A previous version copied from another file system cannot be put back. The first error is reported.
    }
    throw error;
  }
}

/** A notes file about to be changed, with its index up to date. */
export interface CurrentFile {
  file: NotesFile;
  fileId: number;
  bytes: Buffer;
  stamp: FileStamp;
}

/** The sections added for a note, and those removed with their last one. */
export interface SectionChanges {
  added?: readonly { type: NoteType; text: string | undefined }[];
  removed?: readonly NoteType[];
}

/** Reads a notes file, updates its index, and throws if it cannot be written. */
export async function readForChange(
  { context, tx }: NotesTransaction,
  file: NotesFile,
): Promise<CurrentFile> {
  const snapshot = readWhole(file);
  const bytes = snapshot.bytes ?? Buffer.from(renderTemplate());
  refuseUtf16(bytes, file.path);
  const known = await findNoteFile(tx, file);
  const isIndexed = known.stamp === snapshot.stamp;
  if (!isIndexed || known.conflicts !== null) refuseConflictMarkers(file.path, bytes);
  const { fileId, conflicts } = isIndexed ? known : await reindexFile(tx, context, file, known, snapshot);
  if (conflicts !== null) {
    // Without conflict markers, it was not read to its end.
    const { notes, lines } = notesLimits;
    const message = `More than ${notes} notes, or ${lines} lines of them: ${file.path}`;
    throw new RalphError("file-unusable", message, { hint: tooLargeHint });
  }
  return { file, fileId, bytes, stamp: snapshot.stamp };
}

const tooLargeHint = "move older notes to another file; nothing was changed";

/** Files too large to read are not written. */
function readWhole({ path }: NotesFile): FileSnapshot {
  return readFileSnapshot(path, { maxBytes: notesLimits.bytes, hint: tooLargeHint });
}

/** Throws if a notes file that changed since it was indexed has merge conflicts. */
export async function refuseConflict({ tx }: NotesTransaction, file: NotesFile): Promise<void> {
  if ((await tx.noteFiles.find(file.name))?.stamp === stampFile(file.path)) return;
  refuseConflictMarkers(file.path, readWhole(file).bytes ?? Buffer.alloc(0));
}

/** Replaces a notes file that was just read; false if it was saved meanwhile. */
export async function saveNotesFile(
  { context, tx, replaced }: NotesTransaction,
  { file, fileId, stamp: before }: CurrentFile,
  parts: readonly Uint8Array[],
  { added = [], removed = [] }: SectionChanges = {},
): Promise<boolean> {
  const { path, name } = file;
  const previous = previousVersion(context.place.storeDirectory, name);
  const after = replaceIfUnchanged(path, parts, before, { previous });
  if (after === undefined) return false;
  replaced.push({ path, previous, before, after });
  await tx.noteFiles.save(fileId, after, null, null);
  for (const { type, text } of added) if (text !== undefined) await tx.addedSections.save(name, type, text);
  for (const type of removed) await tx.addedSections.remove(name, type);
  return true;
}

/** Where the previous version of a file is stored, named after the file's path in the project. */
export function previousVersion(storeDirectory: string, name: string): string {
  return join(storeDirectory, "previous", name.replaceAll(/[\\/:]/g, "-"));
}
