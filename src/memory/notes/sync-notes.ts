import type { NoteProblem } from "../../domain/knowledge/note.js";
import { notesLimits } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { stampFile } from "../../files/file-stamp.js";
import { findStats } from "../../files/find-stats.js";
import type { NoteFile } from "../../store/repositories/notes/note-files.js";
import type { NoteRow, NoteScope } from "../../store/repositories/notes/note-rows.js";
import type { Repositories } from "../../store/store.js";
import type { NotesFile, Place } from "../project/place.js";
import { filesOf, type StoreContext } from "../project/place.js";
import { findNoteFile, reindexFile, reindexInParts } from "./index-notes.js";
import { reportConflicts } from "./report-notes.js";

/** Updates the index from the files and returns their ids. */
export function syncNotes(context: StoreContext): Promise<NoteScope> {
  return syncEach(context.place, (file) => syncIfChanged(context, file));
}

/** Like `syncNotes`, inside a write transaction. */
export function syncNotesIn(tx: Repositories, context: StoreContext): Promise<NoteScope> {
  return syncEach(context.place, async (file) => (await syncFile(tx, context, file)).fileId);
}

async function syncEach(
  { home, copy }: Place,
  sync: (file: NotesFile) => Promise<number>,
): Promise<NoteScope> {
  const homeId = await sync(home);
  return copy === undefined ? { home: homeId } : { home: homeId, copy: await sync(copy) };
}

async function syncIfChanged(context: StoreContext, file: NotesFile): Promise<number> {
  const known = await context.store.noteFiles.find(file.name);
  if (known === undefined || known.stamp !== stampFile(file.path)) return reindexInParts(context, file);
  reportConflicts(context, file, known);
  return known.fileId;
}

/** Updates the index of one file; does not read it if its stamp is unchanged. */
export async function syncFile(tx: Repositories, context: StoreContext, file: NotesFile): Promise<NoteFile> {
  const known = await findNoteFile(tx, file);
  return known.stamp === stampFile(file.path) ? known : reindexFile(tx, context, file, known);
}

/** Files from this size on are indexed in parts before a writer takes the lock for all of its work. */
const largeFileBytes = 1024 * 1024;

/** Updates the index from large files, so that a write transaction finds little to do. */
export async function syncLargeFiles(context: StoreContext): Promise<void> {
  for (const file of filesOf(context.place)) {
    const stats = findStats(file.path);
    // A file over the limit is rejected when it is written.
    if (stats !== undefined && stats.size > largeFileBytes && stats.size <= notesLimits.bytes)
      await syncIfChanged(context, file);
  }
}

/** The note with this id, or with this unique prefix. */
export async function resolveNote(
  repositories: Repositories,
  fileIds: NoteScope,
  idOrPrefix: string,
): Promise<NoteRow> {
  if (idOrPrefix === "") throw noteNotFound(idOrPrefix);
  const candidates = await repositories.notes.listByPrefix(fileIds, idOrPrefix);
  const exact = candidates.find((row) => row.id === idOrPrefix);
  const [first, ...others] = exact === undefined ? candidates : [exact];
  if (first === undefined) throw (await findConflict(repositories, idOrPrefix)) ?? noteNotFound(idOrPrefix);
  if (others.length === 0) return first;
  const shown = candidates.slice(0, 10).map((row) => row.id);
  const more = candidates.length > shown.length ? `, and ${candidates.length - shown.length} more` : "";
  const message = `Several memory ids start with ${idOrPrefix}: ${shown.join(", ")}${more}`;
  throw new RalphError("ambiguous", message, { hint: "give more of the id" });
}

/** The error about a note that cannot be read because of a merge conflict; undefined without a conflict. */
async function findConflict(
  { noteFiles }: Repositories,
  idOrPrefix: string,
): Promise<RalphError | undefined> {
  for (const { path, conflicts } of await noteFiles.list())
    for (const { line, ids = [] } of JSON.parse(conflicts ?? "[]") as NoteProblem[]) {
      const id = ids.find((each) => each.startsWith(idOrPrefix));
      if (id !== undefined)
        return new RalphError("merge-conflict", `${id} is in a merge conflict: ${path}, line ${line}`, {
          hint: "resolve the conflict in the file, then run the command again",
        });
    }
  return undefined;
}

export function noteNotFound(id: string): RalphError {
  return new RalphError("not-found", `Memory not found: ${id}`, {
    hint: 'list the ids with "ralph memory list"; changing your own notes needs --global',
  });
}
