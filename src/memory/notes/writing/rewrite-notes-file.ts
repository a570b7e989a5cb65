import type { NoteType } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { FileStamp } from "../../../files/file-stamp.js";
import { type FileSnapshot, readFileSnapshot } from "../../../files/read-file.js";
import { type WrittenFile, writeAtomically } from "../../../files/writing/write-atomically.js";
import { applyEdits, type Edit } from "../../../notes/edit.js";
import { renderTemplate } from "../../../notes/render.js";
import type { Repositories } from "../../../store/store.js";
import type { NotesFile } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";
import { syncFile, syncLargeFiles } from "../sync-notes.js";
import { untilQuiet } from "../until-quiet.js";

const maxTries = 100;

/** A write transaction together with the files it has changed. */
export interface NotesTransaction {
  tx: Repositories;
  written: WrittenFile[];
}

/** Edits of a notes file, and the sections that were added for a note or removed with its last one. */
export interface FileChange {
  edits: readonly Edit[];
  addedSection?: { type: NoteType; text: string | undefined };
  removedSection?: NoteType | undefined;
}

/**
 * Runs `work` in a write transaction, whose lock serialises writers of the notes files. If it fails, files that were
 * already written are restored.
 */
export async function inNotesTransaction<Result>(
  shelf: Shelf,
  work: (transaction: NotesTransaction) => Promise<Result>,
): Promise<Result> {
  await syncLargeFiles(shelf);
  const written: WrittenFile[] = [];
  try {
    const result = await shelf.store.transaction((tx) => work({ tx, written }));
    for (const file of written) file.commit();
    return result;
  } catch (error) {
    for (const file of written.reverse()) file.restore();
    throw error;
  }
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
): Promise<Change> {
  const { tx } = transaction;
  let indexed = await tx.noteFiles.find(file.name);
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const snapshot = readFileSnapshot(file.path);
    if (indexed !== undefined && snapshot.stamp === indexed.stamp) {
      const bytes = snapshot.bytes ?? Buffer.from(renderTemplate());
      const change = await plan(bytes);
      const stamp = replaceNotesFile(transaction, file, snapshot, applyEdits(bytes, change.edits));
      if (stamp !== undefined) {
        await tx.noteFiles.save(indexed.fileId, stamp, null);
        await saveSections(tx, file, change);
        return change;
      }
    }
    await untilQuiet(tx, file);
    indexed = await syncFile(tx, shelf, file);
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
export function replaceNotesFile(
  { written }: NotesTransaction,
  file: NotesFile,
  snapshot: FileSnapshot,
  parts: readonly Uint8Array[],
): FileStamp | undefined {
  const result = writeAtomically(file.path, parts, snapshot.stamp);
  if (result.kind === "changed-meanwhile") return undefined;
  written.push(result);
  return result.stamp;
}
