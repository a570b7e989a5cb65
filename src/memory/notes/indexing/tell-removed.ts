import { dayMs } from "../../../domain/clock.js";
import { timeOfNoteId } from "../../../domain/knowledge/record-ids.js";
import { appendToLog, logPath } from "../../../files/append-to-log.js";
import type { Repositories } from "../../../store/store.js";
import type { NotesFile } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";

/** More at once is another branch or another file, not an old copy of this one. */
const mostTold = 20;
const parts = /.{1,800}/gsu;

/**
 * Notes of the last day that nobody deleted by a command: a person may have, in an editor, or the editor saved what it had read before they
 * were written. Either looks the same, so they stay removed; their texts, which may be nowhere else yet, go to the log.
 */
export async function tellRemoved(
  tx: Repositories,
  shelf: Shelf,
  file: NotesFile,
  fileId: number,
  gone: readonly string[],
): Promise<void> {
  const fresh = gone.filter((id) => shelf.clock().getTime() - (timeOfNoteId(id)?.getTime() ?? 0) < dayMs);
  if (fresh.length === 0 || fresh.length > mostTold) return;
  const { storeDirectory } = shelf.place;
  for (const id of fresh) {
    const note = await tx.notes.find(fileId, id);
    if (note === undefined) continue;
    // As JSON, whose line ends survive in a line of the log; whole characters, however many there are.
    const text = [JSON.stringify(note.content), ...note.tags.map((tag) => `#${tag}`)].join(" ");
    for (const part of text.match(parts) ?? [])
      appendToLog(storeDirectory, `${id} (${note.type}) is gone from ${file.name}: ${part}`);
  }
  shelf.notify({ kind: "notes-removed", path: file.path, ids: fresh, log: logPath(storeDirectory) });
}
