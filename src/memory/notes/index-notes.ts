import { isoDate } from "../../domain/clock.js";
import type { Note } from "../../domain/knowledge/note.js";
import { notesLimits } from "../../domain/knowledge/note.js";
import { timeOfNote } from "../../domain/knowledge/record-ids.js";
import { sha256 } from "../../domain/sha256.js";
import { stampFile } from "../../files/file-stamp.js";
import { type FileSnapshot, readFileSnapshot, refuseUtf16 } from "../../files/read-file.js";
import { type NotesDocument, parseNotes } from "../../notes/parse.js";
import { renderNote } from "../../notes/render.js";
import { noteDocument } from "../../search/note-document.js";
import { noteKind } from "../../search/record-kinds.js";
import type { NoteFile } from "../../store/repositories/notes/note-files.js";
import type { Repositories } from "../../store/store.js";
import { fingerprint, normaliseText } from "../../text/fingerprint.js";
import { redact } from "../../text/secrets/redact.js";
import { countTokens } from "../../text/tokens/count-tokens.js";
import type { NotesFile, StoreContext } from "../project/place.js";
import { markReported, reportConflicts, reportRemoved } from "./report-notes.js";

/** Far more than a note should have; people may write anything into the file. */
export const maxIndexedLength = 1024 * 1024;
/** A secret may span the cut. */
const margin = 8 * 1024;

/** Changes per transaction: a few seconds of work, which an interruption does not undo. */
const partSize = 5000;
/** Used with a deadline, which is checked between parts. */
const awaitedPartSize = 250;
/** From this many changes on, the word counts of the index are recomputed. */
const manyChanges = 1000;

/** Adds a note to the index. Search results come from the index, so secrets are redacted here, too. */
export async function indexNote(tx: Repositories, fileId: number, note: Note): Promise<void> {
  const safe: Note = {
    ...note,
    content: indexedContent(note.content),
    tags: note.tags.map((tag) => redact(tag).text),
  };
  const block = renderNote(safe);
  await tx.notes.add({
    ...safe,
    fileId,
    time: timeOfNote(safe),
    likeness: contentKey(safe.content),
    blockPrint: blockPrintOf(note),
    block,
    tokens: countTokens(`\n${block}`),
  });
  await tx.lexical.put(noteDocument(safe, String(fileId)));
}

/** Limits an overlong note to its beginning: searching and printing all of it would take minutes. */
function indexedContent(content: string): string {
  if (content.length <= maxIndexedLength) return redact(content).text;
  const beginning = redact(content.slice(0, maxIndexedLength + margin)).text;
  return `${beginning.slice(0, maxIndexedLength)}\n[… the rest of ${content.length} characters is in the file …]`;
}

export async function unindexNote(tx: Repositories, fileId: number, id: string): Promise<void> {
  await tx.notes.remove(fileId, id);
  await tx.lexical.remove({ kind: noteKind, id, source: String(fileId) });
}

/** Equal for notes with the same normalised content. */
export function contentKey(content: string): string {
  return fingerprint(normaliseText(content));
}

/** Changes whenever an indexed part of the note changes. */
export function blockPrintOf(note: Note): string {
  return fingerprint(JSON.stringify([note.type, note.content, note.tags, note.created]));
}

/**
 * Updates the index of a file, in several transactions if much has changed. The file counts as indexed after the last one; if a command is
 * interrupted or out of time, the next one continues after its last part.
 */
export async function reindexInParts(context: StoreContext, file: NotesFile): Promise<number> {
  const { indexUntilMs = Number.POSITIVE_INFINITY } = context;
  const size = indexUntilMs === Number.POSITIVE_INFINITY ? partSize : awaitedPartSize;
  let reading: ReadNotes | undefined;
  let work: IndexWork | undefined;
  for (;;) {
    const { fileId, isDone } = await context.store.transaction(
      async (tx) => {
        const known = await findNoteFile(tx, file);
        const stamp = stampFile(file.path);
        if (known.stamp === stamp || performance.now() > indexUntilMs)
          return { fileId: known.fileId, isDone: true };
        if (reading?.stamp !== stamp) {
          reading = readNotes(context, file, known);
          work = await findChanges(tx, context, file, known, reading);
        }
        const end = (work?.done ?? 0) + size;
        if (work !== undefined) await indexChanges(tx, context, known.fileId, work, end);
        const isDone = work === undefined || end >= sizeOf(work);
        if (isDone) await finish(tx, context, file, known, reading);
        return { fileId: known.fileId, isDone };
      },
      { side: "local" },
    );
    if (isDone || work === undefined) return fileId;
    work.done += size;
  }
}

/** Updates the index at once, in a writer's transaction. */
export async function reindexFile(
  tx: Repositories,
  context: StoreContext,
  file: NotesFile,
  known: NoteFile,
  snapshot?: FileSnapshot,
): Promise<NoteFile> {
  const reading = readNotes(context, file, known, snapshot);
  const work = await findChanges(tx, context, file, known, reading);
  if (work !== undefined) await indexChanges(tx, context, known.fileId, work, sizeOf(work));
  return finish(tx, context, file, known, reading);
}

export async function findNoteFile(tx: Repositories, { name }: NotesFile): Promise<NoteFile> {
  return (await tx.noteFiles.find(name)) ?? tx.noteFiles.add(name);
}

/** Updates the index from a document, and returns the number of changed notes. */
export async function indexDocument(
  tx: Repositories,
  context: StoreContext,
  fileId: number,
  document: NotesDocument,
): Promise<number> {
  const work = await compareWithIndex(tx, fileId, document);
  await indexChanges(tx, context, fileId, work, sizeOf(work));
  return sizeOf(work);
}

interface ReadNotes {
  bytes: Buffer;
  stamp: string;
  digest: string;
  /** Undefined if the bytes are already indexed. */
  document: NotesDocument | undefined;
}

function readNotes(
  context: StoreContext,
  file: NotesFile,
  known: NoteFile,
  snapshot = readFileSnapshot(file.path, { maxBytes: notesLimits.bytes, isCut: true }),
): ReadNotes {
  const { bytes = Buffer.alloc(0), stamp, fileBytes } = snapshot;
  refuseUtf16(bytes, file.path);
  const digest = sha256(bytes);
  const options = { today: isoDate(context.clock()), fileBytes };
  return { bytes, stamp, digest, document: digest === known.digest ? undefined : parseNotes(bytes, options) };
}

async function findChanges(
  tx: Repositories,
  context: StoreContext,
  file: NotesFile,
  { fileId }: NoteFile,
  { bytes, document }: ReadNotes,
): Promise<IndexWork | undefined> {
  if (document === undefined) return undefined;
  const work = await compareWithIndex(tx, fileId, document);
  // An editor may have emptied the file before writing it again.
  if (bytes.length > 0) await reportRemoved(tx, context, file, fileId, work.gone);
  return work;
}

async function finish(
  tx: Repositories,
  context: StoreContext,
  file: NotesFile,
  known: NoteFile,
  { bytes, stamp, digest, document }: ReadNotes,
): Promise<NoteFile> {
  let { conflicts } = known;
  if (document === undefined) reportConflicts(context, file, { stamp, conflicts });
  else {
    for (const { section, added } of await tx.addedSections.list(file.name))
      if (!bytes.includes(added)) await tx.addedSections.remove(file.name, section);
    const problems = [...document.conflicts, ...document.problems];
    if (problems.length > 0) context.notify({ kind: "malformed-notes", path: file.path, problems });
    markReported(context, file, stamp);
    conflicts = document.conflicts.length === 0 ? null : JSON.stringify(document.conflicts);
  }
  await tx.noteFiles.save(known.fileId, stamp, digest, conflicts);
  return { ...known, stamp, digest, conflicts };
}

/** The differences between a document and the index. */
interface IndexWork {
  gone: string[];
  changed: Note[];
  known: ReadonlySet<string>;
  /** The number of changes already indexed. */
  done: number;
}

function sizeOf({ gone, changed }: IndexWork): number {
  return gone.length + changed.length;
}

async function compareWithIndex(
  tx: Repositories,
  fileId: number,
  document: NotesDocument,
): Promise<IndexWork> {
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

/** Indexes the changes up to `end`. Between parts, another process may have indexed the same notes. */
async function indexChanges(
  tx: Repositories,
  context: StoreContext,
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
      context.notify({ kind: "indexing", what: "notes", done: indexed, total: changed.length });
  }
  if (sizeOf(work) >= manyChanges && end >= sizeOf(work)) await tx.lexical.countFrequentWords();
}
