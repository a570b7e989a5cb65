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

/** A write transaction together with the files that it has replaced. */
export interface NotesTransaction {
  context: StoreContext;
  tx: Repositories;
  replaced: Replacement[];
}

/**
 * Runs `work` in a write transaction, whose lock makes writers of the notes files wait for each other. If it fails, such as on a
 * full disk, the files are put back.
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
      // Where the previous version is a copy on another file system, the file stays as it is. The first error is reported.
    }
    throw error;
  }
}

/** A notes file that is about to be changed; the index matches its bytes. */
export interface CurrentFile {
  file: NotesFile;
  fileId: number;
  bytes: Buffer;
  stamp: FileStamp;
}

/** The sections that were added for a note, and those that were removed with their last one. */
export interface SectionChanges {
  added?: readonly { type: NoteType; text: string | undefined }[];
  removed?: readonly NoteType[];
}

/** Reads a notes file, brings its index up to date, and refuses one that cannot be written. */
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
    // There are no markers, so it was not read to its end.
    const { notes, lines } = notesLimits;
    const message = `More than ${notes} notes, or ${lines} lines of them: ${file.path}`;
    throw new RalphError("file-unusable", message, { hint: tooLargeHint });
  }
  return { file, fileId, bytes, stamp: snapshot.stamp };
}

const tooLargeHint = "move older notes to another file; nothing was changed";

/** What is too large to be read is not written. */
function readWhole({ path }: NotesFile): FileSnapshot {
  return readFileSnapshot(path, { maxBytes: notesLimits.bytes, hint: tooLargeHint });
}

/** Throws if a notes file that has changed since it was indexed is in a merge conflict. */
export async function refuseConflict({ tx }: NotesTransaction, file: NotesFile): Promise<void> {
  if ((await tx.noteFiles.find(file.name))?.stamp === stampFile(file.path)) return;
  refuseConflictMarkers(file.path, readWhole(file).bytes ?? Buffer.alloc(0));
}

/** Replaces a notes file that was read a moment ago; false if somebody saved it meanwhile. */
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

/** Where the version of a file before Ralph's last change stays; the file is named by its path in the project. */
export function previousVersion(storeDirectory: string, name: string): string {
  return join(storeDirectory, "previous", name.replaceAll(/[\\/:]/g, "-"));
}
