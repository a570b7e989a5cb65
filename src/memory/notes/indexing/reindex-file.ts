import { isoDate } from "../../../domain/clock.js";
import { type Note, notesLimits } from "../../../domain/knowledge/note.js";
import { sha256 } from "../../../domain/sha256.js";
import { type FileStamp, stampFile } from "../../../files/file-stamp.js";
import { readFileSnapshot } from "../../../files/read-file.js";
import { refuseUtf16 } from "../../../files/shared/refuse-utf16.js";
import { type NotesDocument, parseNotes } from "../../../notes/parse.js";
import type { NoteFile } from "../../../store/repositories/notes/note-files.js";
import type { Repositories } from "../../../store/store.js";
import type { NotesFile } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";
import { markTold, tellConflicts } from "../known-conflicts.js";
import { blockPrintOf, indexNote, unindexNote } from "./index-note.js";

/** Changes in one transaction: a few seconds of work, which are kept if the next ones are interrupted. */
const partSize = 5000;

/** The same while somebody waits: between two parts it is seen that the time is up. */
const awaitedPartSize = 250;

/** From here on, how many notes hold a word is no longer what it was. */
const manyChanges = 1000;

/**
 * Brings the index of a file up to date, in several transactions if much has changed. The file counts as indexed after the
 * last of them; a command that was interrupted, or has no more time, has left its parts, and the next one goes on from there.
 */
export async function reindexInParts(shelf: Shelf, file: NotesFile): Promise<number> {
  let reading: ReadNotes | undefined;
  let work: IndexWork | undefined;
  const { indexUntilMs = Number.POSITIVE_INFINITY } = shelf;
  const size = indexUntilMs === Number.POSITIVE_INFINITY ? partSize : awaitedPartSize;
  for (;;) {
    const { fileId, done } = await shelf.store.transaction(
      async (tx) => {
        const known = (await tx.noteFiles.find(file.name)) ?? (await tx.noteFiles.add(file.name));
        const stamp = stampFile(file.path);
        if (known.stamp === stamp || performance.now() > indexUntilMs)
          return { fileId: known.fileId, done: undefined };
        if (reading?.stamp !== stamp) {
          reading = readNotes(shelf, file, known);
          work = await findChanges(tx, shelf, file, known, reading);
        }
        const end = (work?.done ?? 0) + size;
        if (work !== undefined) await indexChanges(tx, shelf, known.fileId, work, end);
        if (work !== undefined && end < sizeOf(work)) return { fileId: known.fileId, done: end };
        await finish(tx, shelf, file, known, reading);
        return { fileId: known.fileId, done: undefined };
      },
      { side: "local" },
    );
    if (done === undefined || work === undefined) return fileId;
    work.done = done;
  }
}

/** The same at once, in the transaction of a writer. */
export async function reindexFile(
  tx: Repositories,
  shelf: Shelf,
  file: NotesFile,
  known: NoteFile,
): Promise<NoteFile> {
  const reading = readNotes(shelf, file, known);
  const work = await findChanges(tx, shelf, file, known, reading);
  if (work !== undefined) await indexChanges(tx, shelf, known.fileId, work, sizeOf(work));
  return finish(tx, shelf, file, known, reading);
}

/** What differs between what was read and the index, and tells of notes that are gone. */
async function findChanges(
  tx: Repositories,
  shelf: Shelf,
  file: NotesFile,
  { fileId }: NoteFile,
  { bytes, document }: ReadNotes,
): Promise<IndexWork | undefined> {
  if (document === undefined) return undefined;
  const work = await findWork(tx, fileId, document);
  // An editor may have emptied the file to fill it again.
  if (work.gone.length > 0 && bytes.length > 0) {
    const { tellRemoved } = await import("./tell-removed.js");
    await tellRemoved(tx, shelf, file, fileId, work.gone);
  }
  return work;
}

interface ReadNotes {
  bytes: Buffer;
  stamp: FileStamp;
  digest: string;
  /** Undefined if the bytes are the known ones. */
  document: NotesDocument | undefined;
}

function readNotes(shelf: Shelf, file: NotesFile, known: NoteFile): ReadNotes {
  const start = { maxBytes: notesLimits.bytes, isCut: true };
  const { bytes = Buffer.alloc(0), stamp, fileBytes } = readFileSnapshot(file.path, start);
  refuseUtf16(bytes, file.path);
  const digest = sha256(bytes);
  const options = { today: isoDate(shelf.clock()), fileBytes };
  return { bytes, stamp, digest, document: digest === known.digest ? undefined : parseNotes(bytes, options) };
}

async function finish(
  tx: Repositories,
  shelf: Shelf,
  file: NotesFile,
  known: NoteFile,
  { bytes, stamp, digest, document }: ReadNotes,
): Promise<NoteFile> {
  if (document !== undefined) {
    for (const { section, added } of await tx.addedSections.list(file.name)) {
      if (!bytes.includes(added)) await tx.addedSections.remove(file.name, section);
    }
    const problems = [...document.conflicts, ...document.problems];
    if (problems.length > 0) shelf.notify({ kind: "malformed-notes", path: file.path, problems });
  }
  const read = { ...known, stamp, digest, ...(document && { conflicts: conflictsOf(document) }) };
  if (document === undefined) tellConflicts(shelf, file, read);
  else markTold(shelf, file, stamp);
  await tx.noteFiles.save(known.fileId, stamp, digest, read.conflicts);
  return read;
}

function conflictsOf({ conflicts }: NotesDocument): string | null {
  return conflicts.length === 0 ? null : JSON.stringify(conflicts);
}

/** Brings the index in line with a document, and returns the number of changed notes. */
export async function indexDocument(
  tx: Repositories,
  shelf: Shelf,
  fileId: number,
  document: NotesDocument,
): Promise<number> {
  const work = await findWork(tx, fileId, document);
  await indexChanges(tx, shelf, fileId, work, sizeOf(work));
  return sizeOf(work);
}

/** What differs between a document and the index. */
interface IndexWork {
  gone: string[];
  changed: Note[];
  known: ReadonlySet<string>;
  /** How many of the changes are indexed. */
  done: number;
}

function sizeOf({ gone, changed }: IndexWork): number {
  return gone.length + changed.length;
}

async function findWork(tx: Repositories, fileId: number, document: NotesDocument): Promise<IndexWork> {
  const prints = new Map((await tx.notes.listPrints(fileId)).map(({ id, blockPrint }) => [id, blockPrint]));
  const present = new Set(document.blocks.map(({ note }) => note.id));
  const gone = [...prints.keys()].filter((id) => !present.has(id));
  // From the bottom up: of two notes with the same time, the upper one is newer and needs the higher key.
  const changed = document.blocks
    .map(({ note }) => note)
    .filter((note) => prints.get(note.id) !== blockPrintOf(note))
    .reverse();
  return { gone, changed, known: new Set(prints.keys()), done: 0 };
}

/** Indexes the changes up to a place. Between two parts another process may have indexed the same notes. */
async function indexChanges(
  tx: Repositories,
  shelf: Shelf,
  fileId: number,
  work: IndexWork,
  end: number,
): Promise<void> {
  const { gone, changed, known, done } = work;
  for (const id of gone.slice(done, end)) await unindexNote(tx, fileId, id);
  const first = Math.max(0, done - gone.length);
  for (const [index, note] of changed.slice(first, Math.max(0, end - gone.length)).entries()) {
    if (done > 0 || known.has(note.id)) await unindexNote(tx, fileId, note.id);
    await indexNote(tx, fileId, note);
    const indexed = first + index + 1;
    if (indexed % 1000 === 0)
      shelf.notify({ kind: "indexing", what: "notes", done: indexed, total: changed.length });
  }
  if (sizeOf(work) >= manyChanges && end >= sizeOf(work)) await tx.lexical.countFrequentWords();
}
