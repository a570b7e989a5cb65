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
import { syncFile } from "../sync-notes.js";
import { untilQuiet } from "../until-quiet.js";

const maxTries = 100;

/** A write transaction together with the files it has changed. */
export interface Turn {
  tx: Repositories;
  written: WrittenFile[];
}

/** What to change in a notes file, and what becomes of sections that exist for notes alone. */
export interface FileChange {
  edits: readonly Edit[];
  madeSection?: { type: NoteType; added: string | undefined };
  tookSection?: NoteType | undefined;
}

/**
 * Runs `work` in a write transaction, which is what makes writers of the notes files take turns. When it fails, files
 * that were already written get their bytes back.
 */
export async function takeTurn<Result>(shelf: Shelf, work: (turn: Turn) => Promise<Result>): Promise<Result> {
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

/** Changes a notes file that was synced in this turn; when somebody else, such as an editor, changed it meanwhile, the change is worked out anew. */
export async function rewriteNotesFile(
  turn: Turn,
  shelf: Shelf,
  file: NotesFile,
  change: (bytes: Buffer) => Promise<FileChange>,
): Promise<void> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    if (attempt > 0) await untilQuiet(turn.tx, file);
    const synced = await syncFile(turn.tx, shelf, file);
    const snapshot = readFileSnapshot(file.path);
    if (snapshot.stamp !== synced.stamp) continue;
    const bytes = snapshot.bytes ?? Buffer.from(renderTemplate());
    const { edits, madeSection, tookSection } = await change(bytes);
    const stamp = replaceNotesFile(turn, file, snapshot, applyEdits(bytes, edits));
    if (stamp === undefined) continue;
    await turn.tx.noteFiles.save(synced.fileId, stamp, null);
    if (madeSection?.added !== undefined)
      await turn.tx.addedSections.save(file.name, madeSection.type, madeSection.added);
    if (tookSection !== undefined) await turn.tx.addedSections.remove(file.name, tookSection);
    return;
  }
  throw new RalphError("file-unusable", `Something keeps writing to ${file.path}`, {
    hint: "stop it, then try again",
  });
}

/** Writes the whole file, to be put back with the turn; nothing happens when it is no longer as in the snapshot. */
export function replaceNotesFile(
  { written }: Turn,
  file: NotesFile,
  snapshot: FileSnapshot,
  parts: readonly Uint8Array[],
): FileStamp | undefined {
  const result = writeAtomically(file.path, parts, snapshot.stamp);
  if (result.kind === "changed-meanwhile") return undefined;
  written.push(result);
  return result.stamp;
}
