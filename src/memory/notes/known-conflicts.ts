import type { NoteProblem } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { NoteFile } from "../../store/repositories/notes/note-files.js";
import type { Repositories } from "../../store/store.js";
import type { NotesFile } from "../places/place.js";
import type { Shelf } from "../places/shelf.js";

/** The conflicts that were told: by the one who listens, the file and its stamp. */
const told = new WeakMap<Shelf["notify"], Set<string>>();

export function markTold(shelf: Shelf, file: NotesFile, stamp: string): void {
  const known = told.get(shelf.notify) ?? new Set();
  told.set(shelf.notify, known.add(`${file.path} ${stamp}`));
}

/** Says that a file has merge conflicts, as every command that reads it does until they are resolved. */
export function tellConflicts(shelf: Shelf, file: NotesFile, { stamp, conflicts }: NoteFile): void {
  if (conflicts === null || told.get(shelf.notify)?.has(`${file.path} ${stamp}`)) return;
  markTold(shelf, file, stamp);
  shelf.notify({ kind: "malformed-notes", path: file.path, problems: JSON.parse(conflicts) });
}

/** The error about a note that cannot be read because of a merge conflict; undefined if it is in none. */
export async function findConflict(
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
