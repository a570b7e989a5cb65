import { isoDate } from "../../../domain/clock.js";
import { addMetadata, applyEdits } from "../../../notes/edit.js";
import { parseNotes } from "../../../notes/parse.js";
import type { NotesFile } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";
import { indexDocument } from "../indexing/reindex-file.js";
import { inNotesTransaction } from "./notes-transaction.js";
import { rewriteNotesFile } from "./rewrite-notes-file.js";
import { syncWhole } from "./settle-notes.js";

/** Gives notes without metadata these lines, by their ids; every other byte of the file stays. */
export async function restoreMetadata(
  shelf: Shelf,
  file: NotesFile,
  lines: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const options = { today: isoDate(shelf.clock()) };
  await inNotesTransaction(shelf, async (transaction) => {
    const fileId = await syncWhole(transaction, shelf, file);
    const { after } = await rewriteNotesFile(transaction, shelf, file, async (bytes) => {
      const edits = parseNotes(bytes, options).blocks.flatMap((block) => {
        const line = block.metadata === undefined ? lines.get(block.note.id) : undefined;
        return line === undefined ? [] : [addMetadata(bytes, block, line)];
      });
      return { edits, after: Buffer.concat(applyEdits(bytes, edits)) };
    });
    await indexDocument(transaction.tx, shelf, fileId, parseNotes(after, options));
  });
}
