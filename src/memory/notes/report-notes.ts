import { dayMs } from "../../domain/clock.js";
import { timeOfNoteId } from "../../domain/knowledge/record-ids.js";
import { appendToLog, logPath } from "../../files/append-to-log.js";
import type { NoteFile } from "../../store/repositories/notes/note-files.js";
import type { Repositories } from "../../store/store.js";
import type { NotesFile, StoreContext } from "../project/place.js";

/** The reported conflicts: by the receiver of notices, the file and its stamp. */
const reported = new WeakMap<StoreContext["notify"], Set<string>>();

export function markReported(context: StoreContext, file: NotesFile, stamp: string): void {
  const known = reported.get(context.notify) ?? new Set();
  reported.set(context.notify, known.add(`${file.path} ${stamp}`));
}

/** Every command that reads a file with merge conflicts reports them until they are resolved. */
export function reportConflicts(
  context: StoreContext,
  file: NotesFile,
  { stamp, conflicts }: Pick<NoteFile, "stamp" | "conflicts">,
): void {
  if (conflicts === null || reported.get(context.notify)?.has(`${file.path} ${stamp}`)) return;
  markReported(context, file, stamp);
  context.notify({ kind: "malformed-notes", path: file.path, problems: JSON.parse(conflicts) });
}

/** If more are missing at once, the file is that of another branch, not an old copy of this one. */
const mostReported = 20;
const parts = /.{1,800}/gsu;

/**
 * Reports notes of the last day that disappeared without a command: a person removed them, or saved an editor's outdated copy. Both look
 * the same, so they stay removed; their texts, possibly the only copies, are logged.
 */
export async function reportRemoved(
  tx: Repositories,
  context: StoreContext,
  file: NotesFile,
  fileId: number,
  gone: readonly string[],
): Promise<void> {
  const fresh = gone.filter((id) => context.clock().getTime() - (timeOfNoteId(id)?.getTime() ?? 0) < dayMs);
  if (fresh.length === 0 || fresh.length > mostReported) return;
  const { storeDirectory } = context.place;
  for (const id of fresh) {
    const note = await tx.notes.find(fileId, id);
    if (note === undefined) continue;
    // As JSON, which keeps line ends within a line of the log.
    const text = [JSON.stringify(note.content), ...note.tags.map((tag) => `#${tag}`)].join(" ");
    for (const part of text.match(parts) ?? [])
      appendToLog(storeDirectory, `${id} (${note.type}) is gone from ${file.name}: ${part}`);
  }
  context.notify({ kind: "notes-removed", path: file.path, ids: fresh, log: logPath(storeDirectory) });
}
