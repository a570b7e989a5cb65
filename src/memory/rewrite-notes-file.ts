import { rmSync } from "node:fs";
import { RalphError } from "../domain/ralph-error.js";
import { absentStamp, type FileStamp, stampFile } from "../files/file-stamp.js";
import { readFileSnapshot } from "../files/read-file.js";
import { writeAtomically } from "../files/write-atomically.js";
import { applyEdits, type Edit } from "../notes/edit.js";
import { renderTemplate } from "../notes/render.js";
import type { Repositories } from "../store/store.js";
import type { NotesFile } from "./place.js";
import type { Shelf } from "./shelf.js";
import { syncFile } from "./sync-notes.js";

const maxTries = 100;

/** A write transaction together with what undoes the files it has changed. */
export interface Turn {
  tx: Repositories;
  undo: (() => void)[];
}

/**
 * Runs `work` in a write transaction, which is what makes writers of the notes files take turns. When it fails, files
 * that were already written get their bytes back.
 */
export async function takeTurn<Result>(shelf: Shelf, work: (turn: Turn) => Promise<Result>): Promise<Result> {
  const undo: (() => void)[] = [];
  try {
    return await shelf.store.transaction((tx) => work({ tx, undo }));
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

/** Changes a notes file; when somebody else, such as an editor, changed it meanwhile, the change is worked out anew. */
export async function rewriteNotesFile(
  { tx, undo }: Turn,
  shelf: Shelf,
  file: NotesFile,
  change: (bytes: Buffer) => Promise<Edit[]>,
): Promise<void> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const synced = await syncFile(tx, shelf, file);
    const snapshot = readFileSnapshot(file.path);
    if (snapshot.stamp !== synced.stamp) continue;
    const bytes = snapshot.bytes ?? Buffer.from(renderTemplate());
    const edits = await change(bytes);
    const written = writeAtomically(file.path, applyEdits(bytes, edits), snapshot.stamp);
    if (written.kind === "changed-meanwhile") continue;
    undo.push(() => putBack(file.path, snapshot.bytes, written.stamp));
    await tx.noteFiles.save(synced.fileId, written.stamp, null);
    return;
  }
  throw new RalphError("file-unusable", `Something keeps writing to ${file.path}`, {
    hint: "stop it, then try again",
  });
}

function putBack(path: string, bytes: Buffer | undefined, stamp: FileStamp): void {
  if (bytes !== undefined) writeAtomically(path, [bytes], stamp);
  else if (stampFile(path) === stamp && stamp !== absentStamp) rmSync(path);
}
