import { notesLimits } from "../../domain/knowledge/note.js";
import { absentStamp, stampFile } from "../../files/file-stamp.js";
import { findStats } from "../../files/find-stats.js";
import type { NoteFile } from "../../store/repositories/notes/note-files.js";
import type { NoteScope } from "../../store/repositories/notes/note-rows.js";
import type { Repositories } from "../../store/store.js";
import type { NotesFile } from "../places/place.js";
import { filesOf, type Shelf } from "../places/shelf.js";
import { untilQuiet } from "./until-quiet.js";

/** Brings the index up to date with the files and returns their ids. */
export async function syncNotes(shelf: Shelf): Promise<NoteScope> {
  const { home, copy } = shelf.place;
  const homeId = await syncIfChanged(shelf, home);
  if (copy === undefined) return { home: homeId };
  return { home: homeId, copy: await syncIfChanged(shelf, copy) };
}

/** The same inside a write transaction; waits for other writers of the files. */
export async function syncNotesIn(tx: Repositories, shelf: Shelf): Promise<NoteScope> {
  const { home, copy } = shelf.place;
  const sync = async (file: NotesFile) => {
    await untilQuiet(tx, file);
    return (await syncFile(tx, shelf, file)).fileId;
  };
  const homeId = await sync(home);
  return copy === undefined ? { home: homeId } : { home: homeId, copy: await sync(copy) };
}

async function syncIfChanged(shelf: Shelf, file: NotesFile): Promise<number> {
  const known = await shelf.store.noteFiles.find(file.name);
  const stamp = stampFile(file.path);
  if (known !== undefined && known.stamp === stamp) {
    if (known.conflicts !== null) (await import("./known-conflicts.js")).tellConflicts(shelf, file, known);
    return known.fileId;
  }
  if (stamp === absentStamp) {
    const { syncMissing } = await import("./writing/settle-notes.js");
    return syncMissing(shelf, file);
  }
  const { reindexInParts } = await import("./indexing/reindex-file.js");
  return reindexInParts(shelf, file);
}

/** Files from this size on are indexed in parts before a writer takes the lock for all of its work. */
const largeFileBytes = 1024 * 1024;

/** Brings the index up to date with large files, so that a write transaction finds little to do. */
export async function syncLargeFiles(shelf: Shelf): Promise<void> {
  for (const file of filesOf(shelf.place)) {
    const stats = findStats(file.path);
    // One that is too large is refused by whoever wants to write to it.
    if (stats !== undefined && stats.size > largeFileBytes && stats.size <= notesLimits.bytes)
      await syncIfChanged(shelf, file);
  }
}

/** Brings the index of one file up to date; does not read it if its stamp is unchanged. */
export async function syncFile(tx: Repositories, shelf: Shelf, file: NotesFile): Promise<NoteFile> {
  const known = (await tx.noteFiles.find(file.name)) ?? (await tx.noteFiles.add(file.name));
  if (known.stamp === stampFile(file.path)) return known;
  const { reindexFile } = await import("./indexing/reindex-file.js");
  return reindexFile(tx, shelf, file, known);
}
