import { statSync } from "node:fs";
import { RalphError } from "../../../domain/ralph-error.js";
import { stampFile } from "../../../files/file-stamp.js";
import type { NoteScope } from "../../../store/repositories/notes/note-rows.js";
import { filesOf, type Shelf } from "../../places/shelf.js";
import type { NotesTransaction } from "./notes-transaction.js";
import { syncForWriting } from "./settle-notes.js";

const restMs = 1000;
const maxWaitMs = 3000;

/**
 * Runs `work` on an index that is up to date. A note that is not found while somebody is saving is looked for again: many
 * editors empty a file before they fill it.
 */
export async function whenSaved<Result>(
  transaction: NotesTransaction,
  shelf: Shelf,
  work: (scope: NoteScope) => Promise<Result>,
): Promise<Result> {
  for (const end = Date.now() + maxWaitMs; ; ) {
    const scope = await syncForWriting(transaction, shelf);
    try {
      return await work(scope);
    } catch (error) {
      const isMissing = error instanceof RalphError && error.code === "not-found";
      if (!isMissing || Date.now() > end || !(await isBeingSaved(transaction, shelf))) throw error;
    }
    await new Promise((done) => setTimeout(done, 40));
  }
}

/** Whether somebody else wrote to a file a moment ago. */
export async function isBeingSaved({ tx }: NotesTransaction, { place }: Shelf): Promise<boolean> {
  for (const { path, name } of filesOf(place)) {
    const known = await tx.noteFiles.find(name);
    // Only our own writes store no digest.
    if (known?.digest === null && known.stamp === stampFile(path)) continue;
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changed !== undefined && Math.abs(Date.now() - changed) < restMs) return true;
  }
  return false;
}
