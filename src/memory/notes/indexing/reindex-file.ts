import { createHash } from "node:crypto";
import { isoDate } from "../../../domain/clock.js";
import { readFileSnapshot } from "../../../files/read-file.js";
import { type NotesDocument, parseNotes } from "../../../notes/parse.js";
import type { NoteFile } from "../../../store/repositories/notes/note-files.js";
import type { Repositories } from "../../../store/store.js";
import type { NotesFile } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";
import { blockPrintOf, indexNote, unindexNote } from "./index-note.js";

/** Indexes the changes in a file whose stamp changed; nothing if its bytes are the same. */
export async function reindexFile(
  tx: Repositories,
  shelf: Shelf,
  file: NotesFile,
  known: NoteFile,
): Promise<NoteFile> {
  const { bytes = Buffer.alloc(0), stamp } = readFileSnapshot(file.path);
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (digest !== known.digest) {
    const document = parseNotes(bytes, { path: file.path, today: isoDate(shelf.clock()) });
    await indexDocument(tx, shelf, known.fileId, document);
    for (const { section, added } of await tx.addedSections.list(file.name)) {
      if (!bytes.includes(added)) await tx.addedSections.remove(file.name, section);
    }
    if (document.problems.length > 0) {
      shelf.notify({ kind: "malformed-notes", path: file.path, problems: document.problems });
    }
  }
  await tx.noteFiles.save(known.fileId, stamp, digest);
  return { ...known, stamp, digest };
}

/** Brings the index in line with a document, and returns the number of changed notes. */
export async function indexDocument(
  tx: Repositories,
  shelf: Shelf,
  fileId: number,
  document: NotesDocument,
): Promise<number> {
  const prints = new Map((await tx.notes.listPrints(fileId)).map(({ id, blockPrint }) => [id, blockPrint]));
  const present = new Set(document.blocks.map(({ note }) => note.id));
  const gone = [...prints.keys()].filter((id) => !present.has(id));
  // From the bottom up: of two notes with the same time, the upper one is newer and needs the higher key.
  const changed = document.blocks.filter(({ note }) => prints.get(note.id) !== blockPrintOf(note)).reverse();
  for (const id of gone) await unindexNote(tx, fileId, id);
  for (const [index, { note }] of changed.entries()) {
    if (prints.has(note.id)) await unindexNote(tx, fileId, note.id);
    await indexNote(tx, fileId, note);
    if (index % 1000 === 999)
      shelf.notify({ kind: "indexing", what: "notes", done: index + 1, total: changed.length });
  }
  return gone.length + changed.length;
}
