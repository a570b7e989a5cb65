import { stampFile } from "../../../files/file-stamp.js";
import type { SharedFile } from "../../../files/shared/kept-entries.js";
import type { ReplacedFile } from "../../../files/shared/replace-shared.js";
import { settleShared } from "../../../files/shared/settle-shared.js";
import { refuseConflictMarkers } from "../../../notes/conflict-markers.js";
import type { NoteScope } from "../../../store/repositories/notes/note-rows.js";
import type { NotesFile } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";
import { syncFile } from "../sync-notes.js";
import { untilQuiet } from "../until-quiet.js";
import { inNotesTransaction, type NotesTransaction, trackWritten } from "./notes-transaction.js";
import { readWritable } from "./too-large.js";

export function sharedNotes({ place }: Shelf, { path }: NotesFile): SharedFile {
  return { path, storeDirectory: place.storeDirectory };
}

/** Brings the index up to date with the files, once they are whole and nobody else is writing to them. */
export async function syncForWriting(transaction: NotesTransaction, shelf: Shelf): Promise<NoteScope> {
  const { home, copy } = shelf.place;
  const homeId = await syncWhole(transaction, shelf, home, { isToBeWritten: true });
  if (copy === undefined) return { home: homeId };
  return { home: homeId, copy: await syncWhole(transaction, shelf, copy) };
}

/** One refusal says it all: nobody needs the warnings of reading the file besides. */
async function refuseConflict({ tx }: NotesTransaction, { name, path }: NotesFile): Promise<void> {
  if ((await tx.noteFiles.find(name))?.stamp === stampFile(path)) return;
  refuseConflictMarkers(path, readWritable(path).bytes ?? Buffer.alloc(0));
}

/** The same for one file, which returns its id. */
export async function syncWhole(
  transaction: NotesTransaction,
  shelf: Shelf,
  file: NotesFile,
  { isToBeWritten = false } = {},
): Promise<number> {
  await settleNotes(transaction, shelf, file);
  if (isToBeWritten) await refuseConflict(transaction, file);
  await untilQuiet(transaction.tx, file);
  return (await syncFile(transaction.tx, shelf, file)).fileId;
}

/** Where a file is missing: a writer may have been killed between its two names. */
export function syncMissing(shelf: Shelf, file: NotesFile): Promise<number> {
  return inNotesTransaction(shelf, (transaction) => syncWhole(transaction, shelf, file));
}

/** Merges what people wrote to a notes file that Ralph replaced meanwhile. */
export async function settleNotes(
  transaction: NotesTransaction,
  shelf: Shelf,
  file: NotesFile,
): Promise<void> {
  const settled = await settleShared(sharedNotes(shelf, file), async (...versions) => {
    const { mergeNotes } = await import("../merging/merge-notes.js");
    return mergeNotes(shelf, ...versions);
  });
  if (settled !== undefined) trackNotes(transaction, shelf, file, settled);
}

export function trackNotes(
  transaction: NotesTransaction,
  shelf: Shelf,
  file: NotesFile,
  replaced: ReplacedFile,
): void {
  trackWritten(transaction, [replaced], async (later) => void (await syncWhole(later, shelf, file)));
}
