import { stampFile } from "../files/file-stamp.js";
import type { NoteFile } from "../store/repositories/note-files.js";
import type { Repositories } from "../store/store.js";
import type { NotesFile } from "./place.js";
import type { FileIds, Shelf } from "./shelf.js";

/** Makes sure that the index shows the files as they are now, and tells the ids of the files. */
export async function syncNotes(shelf: Shelf): Promise<FileIds> {
  const { home, copy } = shelf.place;
  const homeId = await syncIfChanged(shelf, home);
  if (copy === undefined) return { home: homeId };
  return { home: homeId, copy: await syncIfChanged(shelf, copy) };
}

/** The same inside a transaction that is going to write. */
export async function syncNotesIn(tx: Repositories, shelf: Shelf): Promise<FileIds> {
  const { home, copy } = shelf.place;
  const homeId = (await syncFile(tx, shelf, home)).fileId;
  if (copy === undefined) return { home: homeId };
  return { home: homeId, copy: (await syncFile(tx, shelf, copy)).fileId };
}

async function syncIfChanged(shelf: Shelf, file: NotesFile): Promise<number> {
  const known = await shelf.store.noteFiles.find(file.name);
  if (known !== undefined && known.stamp === stampFile(file.path)) return known.fileId;
  return (await shelf.store.transaction((tx) => syncFile(tx, shelf, file))).fileId;
}

/** Brings the index of one file up to date; nothing is read while its stamp is the known one. */
export async function syncFile(tx: Repositories, shelf: Shelf, file: NotesFile): Promise<NoteFile> {
  const known = (await tx.noteFiles.find(file.name)) ?? (await tx.noteFiles.add(file.name));
  if (known.stamp === stampFile(file.path)) return known;
  const { reindexFile } = await import("./reindex-file.js");
  return reindexFile(tx, shelf, file, known);
}
