import { RalphError } from "../../domain/ralph-error.js";
import type { NoteRow, NoteScope } from "../../store/repositories/notes/note-rows.js";
import type { Repositories } from "../../store/store.js";
import { noteNotFound } from "./note-not-found.js";

/** The note with this id, or with this unique prefix. */
export async function resolveNote(
  repositories: Repositories,
  fileIds: NoteScope,
  idOrPrefix: string,
): Promise<NoteRow> {
  const candidates = idOrPrefix === "" ? [] : await repositories.notes.listByPrefix(fileIds, idOrPrefix);
  const exact = candidates.find((row) => row.id === idOrPrefix);
  const [first, ...others] = exact === undefined ? candidates : [exact];
  if (first === undefined) {
    const { findConflict } = await import("./known-conflicts.js");
    throw (
      (idOrPrefix === "" ? undefined : await findConflict(repositories, idOrPrefix)) ??
      noteNotFound(idOrPrefix)
    );
  }
  if (others.length === 0) return first;
  const shown = candidates.slice(0, 10).map((row) => row.id);
  const more = candidates.length > shown.length ? `, and ${candidates.length - shown.length} more` : "";
  throw new RalphError(
    "ambiguous",
    `Several memory ids start with ${idOrPrefix}: ${shown.join(", ")}${more}`,
    {
      hint: "give more of the id",
    },
  );
}
